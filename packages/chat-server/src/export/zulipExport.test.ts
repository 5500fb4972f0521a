import { cpSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Message,
  addAlertWords,
  addDefaultStream,
  addLinkifier,
  addPlayground,
  addReaction,
  deleteMessage,
  addressDirect,
  composeFileMessage,
  createProfileField,
  createScheduledMessage,
  createUserGroup,
  deactivateUser,
  deleteStream,
  editMessage,
  getMessages,
  getStreamId,
  muteUser,
  reorderLinkifiers,
  roles,
  sendMessage,
  subscribe,
  unsubscribe,
  updateMessageFlags,
  updateBotStorage,
  updatePresence,
  updateSettings,
  updateStatus,
  updateSubscriptionProperties,
  updateUserTopic,
} from '@engawa/protocol';
import { expect, it } from 'vitest';
import { RequestCounts, run } from '../generated/run.ts';
import { RequestContext, subscribers } from '../generated/requestContext.ts';
import * as company from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { seeded } from '../testing/random.ts';
import { importZulip, messageFile } from '../testing/zulipFormat.ts';
import { rowInJson } from './format.ts';
import { type Profiles, type UploadOf, openZulipExport } from './zulipExport.ts';

const noProfiles: Profiles = { fields: [], values: () => [] };

/** Exports a copy of the server's database and imports it as Zulip does. */
async function exported(server: eg.Server, uploadOf: UploadOf = () => undefined) {
  await server.close();
  const copy = join(eg.directory(), 'chat.db');
  cpSync(join(server.directory, 'chat.db'), copy);
  const zulip = openZulipExport(copy);
  try {
    const messages = [...zulip.messageFiles(uploadOf)].map((text) => messageFile.parse(JSON.parse(text)));
    const realm: unknown = JSON.parse([...zulip.realm(() => false, noProfiles)].join(''));
    const organisation = importZulip({ realm, messages, attachments: { zerver_attachment: [] }, uploads: [], avatars: [] });
    const pictures = [...zulip.pictures()].map(({ email }) => email);
    const files = messages.map((file) => file.zerver_message.length);
    return { ...organisation, files, pictures, counts: zulip.counts() };
  } finally {
    zulip.close();
  }
}

it('[R7.8] The export has each message with its sender, stream, topic, time, reactions and Zulip’s markup, and counts the reactions left behind', async () => {
  const server = await eg.server();
  const content = '*太字* @**鈴木 一郎|3** https://example.com/です';
  const { id } = await eg.signIn(server, 'tanaka').ok(sendMessage, { ...eg.streamMessage(content), topic: '予定' });
  const { id: deleted } = await eg.signIn(server, 'tanaka').ok(sendMessage, eg.streamMessage('消します'));
  for (const emoji_name of ['tada', 'engawa', 'zulip']) {
    for (const message_id of [id, deleted]) await eg.signIn(server, 'sato').ok(addReaction, { message_id, emoji_name });
  }
  await eg.signIn(server, 'tanaka').ok(deleteMessage, { message_id: deleted });
  const zulip = await exported(server);
  expect(zulip.counts.left).toMatchObject({ customEmojiReactions: 1 });
  expect(zulip.messages).toMatchObject([
    {
      oldId: id,
      sender: 'tanaka@example.com',
      client: 'website',
      audience: eg.general,
      topic: '予定',
      content: '**太字** @**鈴木 一郎** [https://example.com/](https://example.com/)です',
      edits: [],
      has: { attachment: false, image: false, link: true },
      reactions: [
        { by: 'sato@example.com', name: 'tada' },
        { by: 'sato@example.com', name: 'zulip' },
      ],
    },
  ]);
  expect(Object.fromEntries(zulip.messages[0]?.flags ?? [])).toEqual({
    'tanaka@example.com': ['read'],
    'sato@example.com': [],
    'suzuki@example.com': ['mentioned'],
    'takahashi@example.com': [],
  });
});

it('[R7.8] The export has all users with their roles, settings and deactivated state, but no passwords', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  await eg.signIn(server, 'suzuki').ok(updateSettings, { enter_sends: false, default_language: 'en' });
  await tanaka.ok(deactivateUser, { user_id: server.user('ito') });
  const { users, realm } = await exported(server);
  const rows = [...users.values()].map(({ email, full_name, role, is_active }) => [email, full_name, role, is_active]);
  expect(rows).toEqual([
    ['tanaka@example.com', '田中 太郎', 100, true],
    ['sato@example.com', '佐藤 花子', 200, true],
    ['suzuki@example.com', '鈴木 一郎', 400, true],
    ['takahashi@example.com', '高橋 恵', 600, true],
    ['ito@example.com', '伊藤 誠', 400, false],
  ]);
  const settingsOf = (name: string) => users.get(eg.emailOf(name));
  expect(settingsOf('suzuki')).toMatchObject({ enter_sends: false, default_language: 'en', timezone: 'Asia/Tokyo' });
  expect(settingsOf('sato')).toMatchObject({ enter_sends: true, default_language: 'ja' });
  expect(JSON.stringify(realm)).not.toMatch(/password|api_key|\$scrypt/);
});

const archived = (name: string): unknown => expect.stringMatching(new RegExp(`^[\\da-f]{7}!DEACTIVATED:${name}$`));

it('[R7.8] The export has streams with their privacy and history, and archived ones under the name that Zulip gives them', async () => {
  const server = await company.company();
  const owner = eg.signIn(server, 'tanaka');
  await owner.ok(deleteStream, { stream_id: server.stream(company.audit) });
  await owner.ok(subscribe, { subscriptions: [{ name: '公開の跡' }], invite_only: false });
  const { stream_id } = await owner.ok(getStreamId, { stream: '公開の跡' });
  await owner.ok(deleteStream, { stream_id });
  const { streams, subscriptions, messages } = await exported(server);
  const rows = [...streams.values()].map((stream) => [
    stream.name,
    stream.invite_only,
    stream.history_public_to_subscribers,
    stream.deactivated,
  ]);
  expect(rows).toEqual([
    [company.square, false, true, false],
    [company.sales, true, true, false],
    [archived(company.audit), true, false, true],
    [archived('公開の跡'), true, true, true],
  ]);
  const inStreams = subscriptions.filter(({ to }) => typeof to === 'string').map(({ by, to }) => [to, by]);
  expect(inStreams).toEqual([
    [company.square, eg.emailOf('ito')],
    [company.square, eg.emailOf('mori')],
    [company.sales, eg.emailOf('ito')],
    [company.sales, eg.emailOf('mori')],
  ]);
  expect(messages.map(({ audience }) => audience)).toEqual([
    company.square,
    company.sales,
    archived(company.audit),
    archived('公開の跡'),
  ]);
});

it('[R7.8] The export has the colour, pin, mute and notifications of each subscription', async () => {
  const server = await eg.server();
  const stream_id = server.stream(eg.general);
  const changes = { color: '#112233', pin_to_top: true, is_muted: true, push_notifications: false };
  await eg.signIn(server, 'sato').ok(updateSubscriptionProperties, {
    subscription_data: Object.entries(changes).map(([property, value]) => ({ stream_id, property, value })),
  });
  const { subscriptions } = await exported(server);
  const of = (name: string) => subscriptions.find(({ by, to }) => by === eg.emailOf(name) && to === eg.general);
  expect(of('sato')).toMatchObject({ ...changes, desktop_notifications: null });
  expect(of('suzuki')).toMatchObject({ is_muted: false, pin_to_top: false });
});

it('[R7.8] The export has direct messages to oneself, to another member and in a group', async () => {
  const server = await eg.server();
  const ids = (...names: readonly string[]) => addressDirect(names.map((name) => server.user(name)));
  const send = (...names: readonly string[]) =>
    eg.signIn(server, 'sato').ok(sendMessage, { type: 'direct', to: ids(...names), content: names.join() });
  for (const names of [['sato'], ['suzuki'], ['suzuki', 'tanaka']]) await send(...names);
  await eg.signIn(server, 'suzuki').ok(sendMessage, { type: 'direct', to: ids('sato'), content: '返事' });
  const { messages } = await exported(server);
  const [sato, suzuki, tanaka] = ['sato', 'suzuki', 'tanaka'].map(eg.emailOf);
  expect(messages.map(({ audience, content, topic }) => [content, audience, topic])).toEqual([
    ['sato', [sato], ''],
    ['suzuki', [sato, suzuki], ''],
    ['suzuki,tanaka', [sato, suzuki, tanaka], ''],
    ['返事', [sato, suzuki], ''],
  ]);
  expect(Object.fromEntries(messages[1]?.flags ?? [])).toEqual({
    [`${sato}`]: ['read', 'is_private'],
    [`${suzuki}`]: ['is_private'],
  });
});

it('[R7.8] The export has a message’s edits, the newest first, in Zulip’s markup', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const { id } = await tanaka.ok(sendMessage, { ...eg.streamMessage('*一*'), topic: '甲' });
  await server.clock.jump(10);
  await tanaka.ok(editMessage, { message_id: id, content: '*二*' });
  await server.clock.jump(10);
  await tanaka.ok(editMessage, { message_id: id, topic: '乙' });
  const { messages } = await exported(server);
  const sent = Math.floor(server.clock.now() / 1000) - 20;
  expect(messages).toMatchObject([
    {
      content: '**二**',
      topic: '乙',
      lastEdit: sent + 20,
      edits: [
        { timestamp: sent + 20, prev_topic: '甲', topic: '乙' },
        { timestamp: sent + 10, prev_content: '**一**', prev_rendered_content: '<p>**一**</p>' },
      ],
    },
  ]);
});

it('The export has flags of a message from before the member joined, but none of a member who has left', async () => {
  const server = await company.company();
  const [inSquare = 0, inSales = 0] = server.messages;
  const star = (name: string, id: number) =>
    eg.signIn(server, name).ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
  await star('suzuki', inSquare);
  await star('ito', inSales);
  await eg.signIn(server, 'ito').ok(unsubscribe, { subscriptions: [company.sales] });
  const { messages } = await exported(server);
  const flags = messages.map((message) => Object.fromEntries(message.flags));
  expect(flags[0]).toMatchObject({ [eg.emailOf('suzuki')]: ['read', 'starred', 'historical'] });
  expect(flags.map((own) => Object.keys(own).includes(eg.emailOf(company.leaver)))).toEqual([false, false, false]);
  expect(Object.keys(flags[1] ?? {})).toEqual([eg.emailOf('mori')]);
});

it('The export has alert words, presences and linkifiers, and only statuses that never end and that everyone may see', async () => {
  const server = await eg.server();
  await eg.signIn(server, 'sato').ok(addAlertWords, { alert_words: ['見積'] });
  await eg.signIn(server, 'sato').ok(updatePresence, { status: 'active' });
  await eg.signIn(server, 'sato').ok(updateStatus, { status_text: '出張中', emoji_name: 'car' });
  await eg.signIn(server, 'suzuki').ok(updateStatus, { status_text: '秘密' });
  const nobody = { audience: 'nobody' as const, user_ids: [], departments: [] };
  await eg.signIn(server, 'suzuki').ok(updateSettings, { status_audience: nobody, photo_audience: nobody });
  const ends = Math.floor(server.clock.now() / 1000) + 3600;
  await eg.signIn(server, 'tanaka').ok(updateStatus, { status_text: '会議中', scheduled_end_time: ends });
  const { realm, emailOf, pictures, counts } = await exported(server);
  expect(realm.zerver_alertword).toMatchObject([{ word: '見積', user_profile: server.user('sato') }]);
  expect(realm.zerver_userpresence.map(({ user_profile }) => emailOf(user_profile))).toEqual([eg.emailOf('sato')]);
  expect(realm.zerver_realmfilter).toMatchObject([{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }]);
  expect(realm.zerver_userstatus).toMatchObject([{ status_text: '出張中', emoji_name: 'car' }]);
  expect(counts.left).toMatchObject({ statuses: 2, customEmoji: 2 });
  expect(pictures).not.toContain(eg.emailOf('suzuki'));
  expect(pictures).toContain(eg.emailOf('sato'));
});

it('The export has default streams, playgrounds, and linkifiers in their order of precedence', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  await tanaka.ok(subscribe, { subscriptions: [{ name: 'ようこそ' }], invite_only: false });
  const { stream_id } = await tanaka.ok(getStreamId, { stream: 'ようこそ' });
  await tanaka.ok(addDefaultStream, { stream_id });
  const playground = { name: '遊び場', pygments_language: 'Python', url_template: 'https://play.example/{code}' };
  await tanaka.ok(addPlayground, playground);
  const rule = { pattern: 'T(?P<id>[0-9]+)', url_template: 'https://topics.example/{id}' };
  const { id } = await tanaka.ok(addLinkifier, rule);
  await tanaka.ok(reorderLinkifiers, { ordered_linkifier_ids: [id, 1] });
  const { realm } = await exported(server);
  expect(realm.zerver_defaultstream).toMatchObject([{ stream: stream_id }]);
  expect(realm.zerver_realmplayground).toMatchObject([playground]);
  expect(realm.zerver_realmfilter).toMatchObject([
    { ...rule, order: 0 },
    { pattern: '#(?P<id>[0-9]+)', order: 1 },
  ]);
});

it('The export counts what it leaves behind: groups, mutes, topic choices, scheduled messages, texts of bots and profile fields', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const stream_id = server.stream(eg.general);
  await tanaka.ok(createUserGroup, { name: '登山部', description: '', members: [server.user('sato')] });
  await tanaka.ok(muteUser, { muted_user_id: server.user('ito') });
  for (const topic of ['一', '二']) await tanaka.ok(updateUserTopic, { stream_id, topic, visibility_policy: 3 });
  const due = Math.floor(server.clock.now() / 1000) + 3600;
  await tanaka.ok(createScheduledMessage, {
    type: 'stream',
    to: stream_id,
    topic: '予定',
    content: 'あとで',
    scheduled_delivery_timestamp: due,
  });
  await tanaka.ok(updateBotStorage, { storage: { a: '1', b: '2', c: '3' } });
  await tanaka.ok(createProfileField, { name: '好きな花', field_type: 1 });
  const { counts } = await exported(server);
  const left = { userGroups: 1, mutedUsers: 1, topicChoices: 2, scheduledMessages: 1, botStorage: 3, profileFields: 1 };
  expect(counts.left).toMatchObject(left);
});

it('The export leaves out deleted messages, and names a file that is not in the archive', async () => {
  const lost = composeFileMessage({ name: '見積[1].pdf', storedName: `${'a'.repeat(20)}.pdf`, size: 3 });
  const messages = [eg.pastMessage('消した', { deleted: true }), eg.pastMessage(lost), eg.pastMessage(lost, { by: 'sato' })];
  const server = await eg.server({ organisation: eg.organisation({ messages }) });
  const uploadOf: UploadOf = ({ sender_id }) =>
    sender_id === server.user('sato') ? { path: '1/aa/見積1.pdf', name: '見積[1].pdf' } : undefined;
  const zulip = await exported(server, uploadOf);
  expect(zulip.messages.map(({ content, has }) => [content, has.attachment])).toEqual([
    ['見積[1].pdf', false],
    ['[見積（1）.pdf](/user_uploads/1/aa/見積1.pdf)', true],
  ]);
  expect(zulip.counts.left.deletedMessages).toBe(1);
});

it('The export has no null character, which PostgreSQL refuses, but keeps a typed \\u0000', () => {
  const rows = [{ text: 'a\0b' }, { text: '\\u0000' }, { text: ['\0'] }];
  expect(rows.map((row): unknown => JSON.parse(rowInJson(row)))).toEqual([
    { text: 'a\ufffdb' },
    { text: '\\u0000' },
    { text: ['\ufffd'] },
  ]);
});

it('The export divides messages into files of 1,000', async () => {
  const messages = Array.from({ length: 1500 }, (_, index) => eg.pastMessage(`${index}`, { stream: eg.board, by: 'suzuki' }));
  const server = await eg.server({ organisation: eg.organisation({ messages }) });
  const zulip = await exported(server);
  expect(zulip.files).toEqual([1000, 500]);
  expect(zulip.messages.map(({ content }) => content)).toEqual(messages.map(({ content }) => content));
});

it.each(['a@intranet', 'a..b@example.com', '.a@example.com', `${'a'.repeat(250)}@example.com`])(
  'The export names the address %s, at which Zulip’s import would stop',
  async (email) => {
    const odd = { ...eg.person('mori', '森 さくら', roles.member), email };
    const server = await eg.server({ organisation: eg.organisation({ users: [...eg.organisation().users, odd] }), signedIn: [] });
    await server.close();
    const zulip = openZulipExport(join(server.directory, 'chat.db'));
    expect(zulip.refusedAddresses()).toEqual([email]);
    zulip.close();
  },
);

/** All messages that a member can fetch, by id. */
async function fetched(server: eg.Server, name: string, key: string): Promise<ReadonlyMap<number, Message>> {
  const client = eg.withKey(server, eg.emailOf(name), key);
  const all = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false };
  const { messages, found_oldest: isComplete } = await client.ok(getMessages, all);
  expect(isComplete).toBe(true);
  return new Map(messages.map((message) => [message.id, message]));
}

/** Zulip marks direct messages, and has one flag for a mention of everyone. */
function flagsAtZulip({ flags = [], type }: Message): string[] {
  const own = flags.filter((flag) => flag !== 'wildcard_mentioned');
  return [...own, ...(type === 'private' ? ['is_private'] : [])].toSorted();
}

it(
  '[R7.8] After random requests, the export has the flags of each message that the server answers to each member',
  { timeout: 120_000 },
  async () => {
    const context = await RequestContext.begin(seeded(20_261_126));
    await run(context, new RequestCounts(), 12_000);
    const { server } = context;
    const answers = new Map<string, ReadonlyMap<number, Message>>();
    for (const name of subscribers) answers.set(eg.emailOf(name), await fetched(server, name, context.key(name)));
    const zulip = await exported(server);
    const byId = new Map(zulip.messages.map((message) => [message.oldId, message]));
    const compared = { received: 0, edited: 0, direct: 0, reactions: 0 };
    for (const [email, messages] of answers) {
      for (const [id, message] of messages) {
        if (message.deleted) {
          expect(byId.has(id)).toBe(false);
          continue;
        }
        const moved = byId.get(id);
        const flags = moved?.flags.get(email)?.toSorted();
        const { flags: answered = [] } = message;
        const isReceived = !answered.includes('historical');
        if (isReceived) compared.received += 1;
        const hasOwnFlag = answered.some((flag) => flag !== 'historical' && flag !== 'read');
        expect(flags, `message ${id} for ${email}`).toEqual(isReceived || hasOwnFlag ? flagsAtZulip(message) : undefined);
        expect(moved).toMatchObject({
          sender: message.sender_email,
          timestamp: message.timestamp,
          topic: message.subject,
          audience: audienceOf(message),
          lastEdit: message.edit_history?.[0]?.timestamp ?? null,
        });
        compared.edited += message.edit_history ? 1 : 0;
        compared.direct += message.type === 'private' ? 1 : 0;
        expect(moved?.edits.map(({ timestamp, prev_topic }) => [timestamp, prev_topic])).toEqual(
          (message.edit_history ?? []).map(({ timestamp, prev_topic }) => [timestamp, prev_topic]),
        );
        const withImages = message.reactions.filter(({ reaction_type }) => reaction_type !== 'realm_emoji');
        expect(moved?.reactions.map(({ name }) => name)).toEqual(withImages.map(({ emoji_name }) => emoji_name));
        compared.reactions += withImages.length;
      }
      // No row is of a message that the member cannot fetch.
      const rows = zulip.messages.filter(({ flags }) => flags.has(email)).map(({ oldId }) => oldId);
      expect(rows.filter((id) => !messages.has(id))).toEqual([]);
    }
    for (const count of Object.values(compared)) expect(count).toBeGreaterThan(10);
  },
);

function audienceOf({ type, display_recipient: recipient }: Message): unknown {
  if (type === 'stream' || typeof recipient === 'string') return recipient;
  return recipient.map(({ email }) => email).toSorted();
}
