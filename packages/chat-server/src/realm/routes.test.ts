import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

it('[R7.6] GET /server_settings describes the server without credentials', async () => {
  const settings = await eg.visitor(await eg.server()).ok(api.getServerSettings, {});
  expect(settings).toMatchObject({
    zulip_feature_level: 371,
    realm_uri: eg.realm.url,
    realm_url: eg.realm.url,
    realm_name: '株式会社縁側',
    realm_description: '<p>縁側 &#38; &#60;庭&#62;</p>',
    require_email_format_usernames: true,
    server_extensions: [
      'client_message_id',
      'include_deleted',
      'oldest_examined',
      'channels_subscribed',
      'in_own',
      'date_anchor',
      'substring_search',
      'read_receipts',
      'former_names',
      'put_away',
      'stream_pictures',
      'creator_rights',
      'edit_guard',
      'draft_revisions',
      'own_settings',
      'audiences',
      'status_end',
    ],
  });
  expect(settings.authentication_methods).toMatchObject({ password: true, ldap: false });
});

it('GET /server_settings answers before an organisation exists', async () => {
  const empty = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock() });
  expect(await eg.visitor(empty).ok(api.getServerSettings, {})).toMatchObject({ realm_name: '' });
  await empty.close();
});

it('GET /emoji_data lists without credentials the names of each emoji, the usual one first, as reactions accept them', async () => {
  const server = await eg.server();
  const { code_to_names: names } = await eg.visitor(server).ok(api.getEmojiData, {});
  expect(names).toMatchObject({
    '1f642': ['smile', 'slightly_smiling_face'],
    '1f44d': expect.arrayContaining(['thumbs_up', '+1']),
    '1f1ef-1f1f5': expect.arrayContaining(['jp']),
  });
  const suzuki = eg.signIn(server, 'suzuki');
  const { id: message_id } = await suzuki.ok(api.sendMessage, eg.streamMessage('お茶'));
  for (const emoji_name of names['1f375'] ?? []) {
    await suzuki.ok(api.addReaction, { message_id, emoji_name, emoji_code: '1f375', reaction_type: 'unicode_emoji' });
    await suzuki.ok(api.removeReaction, { message_id, emoji_name });
  }
  expect(names['1f375']?.[0]).toBe('tea');
});

/** The read receipt settings as a guest receives them. */
async function receiptSettings(server: eg.Server): Promise<unknown> {
  const answer = await eg.signIn(server, 'takahashi').ok(api.registerQueue, { fetch_event_types: ['realm'] });
  return [answer.realm_enable_read_receipts, answer.realm_read_receipts];
}

it('PATCH /realm changes who sees read receipts and sends an event about it, and the change is there after a restart', async () => {
  const server = await eg.server();
  const hello = { type: 'stream', to: eg.general, topic: 't', content: 'おはようございます' };
  const { id } = await eg.signIn(server, 'tanaka').ok(api.sendMessage, hello);
  const suzuki = eg.signIn(server, 'suzuki');
  expect(await suzuki.ok(api.countReadReceipts, { messages: [id] })).toEqual({ read_counts: [] });
  const queue = await queueOf(eg.signIn(server, 'takahashi'), { event_types: ['realm'] });
  expect(await receiptSettings(server)).toEqual([true, 'own']);

  await eg.signIn(server, 'sato').ok(api.updateRealm, { read_receipts: 'all' });
  expect(await queue.take()).toEqual([
    {
      id: queue.cursor,
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: { enable_read_receipts: true, read_receipts: 'all' },
    },
  ]);
  expect(await suzuki.ok(api.countReadReceipts, { messages: [id] })).toEqual({
    read_counts: [{ message_id: id, count: 0 }],
  });

  await eg.signIn(server, 'tanaka').ok(api.updateRealm, { read_receipts: 'none' });
  expect(await queue.take()).toMatchObject([{ data: { enable_read_receipts: false, read_receipts: 'none' } }]);
  const refusal = await suzuki.refused(api.countReadReceipts, { messages: [id] });
  expect(refusal.msg).toBe('Read receipts are disabled in this organization.');
  await server.restart();
  expect(await receiptSettings(server)).toEqual([false, 'none']);
});

it.each([
  ['own', { enable_read_receipts: false }, 'none'],
  ['none', { enable_read_receipts: true }, 'own'],
  ['all', { enable_read_receipts: true }, 'all'],
  ['none', { enable_read_receipts: true, read_receipts: 'all' }, 'all'],
  ['own', { enable_read_receipts: false, read_receipts: 'none' }, 'none'],
] as const)('PATCH /realm changes read_receipts from %s by %j to %s', async (readReceipts, request, after) => {
  const server = await eg.server({ organisation: eg.organisation({ readReceipts }) });
  await eg.signIn(server, 'sato').ok(api.updateRealm, request);
  expect(await receiptSettings(server)).toEqual([after !== 'none', after]);
});

it.each([
  ['Nothing to change.', {}],
  ['Nothing to change.', { description: '縁側' }],
  ['enable_read_receipts and read_receipts contradict each other.', { enable_read_receipts: 'false', read_receipts: 'all' }],
  ['enable_read_receipts and read_receipts contradict each other.', { enable_read_receipts: 'true', read_receipts: 'none' }],
  ['Invalid read_receipts', { read_receipts: 'some' }],
  ['bot_creation_policy and bot_creation contradict each other.', { bot_creation_policy: '1', bot_creation: 'nobody' }],
  ['Invalid bot_creation', { bot_creation: 'some' }],
])('PATCH /realm answers “%s” to %j and changes nothing', async (msg, query) => {
  const server = await eg.server();
  const queue = await queueOf(eg.signIn(server, 'takahashi'));
  const reply = await eg.signIn(server, 'sato').raw({ method: 'PATCH', path: '/realm', query });
  expect([reply.status, eg.refusal(reply).msg]).toEqual([400, msg]);
  expect(await queue.take()).toEqual([]);
  expect(await receiptSettings(server)).toEqual([true, 'own']);
});

it.each(['suzuki', 'takahashi'])('PATCH /realm is refused to %s, who is not an administrator', async (name) => {
  const server = await eg.server();
  const refusal = await eg.signIn(server, name).refused(api.updateRealm, { read_receipts: 'none' });
  expect(refusal).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator' });
  expect(await receiptSettings(server)).toEqual([true, 'own']);
});

it('[R7.6] GET /realm/emoji returns all emoji of the organisation, including deactivated ones', async () => {
  const server = await eg.server();
  const { emoji } = await eg.signIn(server, 'suzuki').ok(api.getRealmEmoji, {});
  expect(emoji).toEqual({
    1: {
      id: '1',
      name: 'engawa',
      source_url: '/emoji/engawa.png',
      still_url: null,
      deactivated: false,
      author_id: server.user('tanaka'),
    },
    2: expect.objectContaining({ name: 'old_engawa', deactivated: true, author_id: server.user('sato') }),
  });
});

it('[R6.1] GET /realm/emoji returns no authors of emoji to a guest', async () => {
  const { emoji } = await eg.signIn(await eg.server(), 'takahashi').ok(api.getRealmEmoji, {});
  expect(Object.values(emoji).map(({ author_id }) => author_id)).toEqual([null, null]);
});

it('GET /realm/emoji returns no emoji if the organisation has none', async () => {
  const { emoji: _, ...plain } = eg.organisation();
  const server = await eg.server({ organisation: plain });
  expect(await eg.signIn(server, 'ito').ok(api.getRealmEmoji, {})).toEqual({ emoji: {} });
});

it('[R7.6] A member adds a custom emoji, which reactions and messages then use, and its author deletes it', async () => {
  const server = await eg.server();
  const suzuki = eg.signIn(server, 'suzuki');
  await server.running().addEmoji(server.user('suzuki'), 'niwa', '/api/emoji/1');
  const { id: message_id } = await suzuki.ok(api.sendMessage, eg.streamMessage('お茶 :niwa:'));
  await eg.signIn(server, 'tanaka').ok(api.addReaction, { message_id, emoji_name: 'niwa' });
  const shown = async () => (await suzuki.ok(api.getMessage, { message_id })).message;
  const img = '<img alt=":niwa:" class="emoji" src="/api/emoji/1" title="niwa">';
  expect(await shown()).toMatchObject({
    content: `<p>お茶 ${img}</p>`,
    reactions: [{ emoji_name: 'niwa', emoji_code: '3', reaction_type: 'realm_emoji' }],
  });
  await suzuki.ok(api.deleteRealmEmoji, { emoji_name: 'niwa' });
  expect((await shown()).content).toBe('<p>お茶 :niwa:</p>');
  expect((await suzuki.ok(api.getRealmEmoji, {})).emoji[3]).toMatchObject({ name: 'niwa', deactivated: true });
  expect((await suzuki.refused(api.deleteRealmEmoji, { emoji_name: 'niwa' })).msg).toBe("Emoji 'niwa' does not exist");
});

it.each([
  ['takahashi', 'niwa', 'Not allowed for guest users'],
  ['suzuki', '', 'Emoji name is missing'],
  ['suzuki', 'Niwa', 'Invalid characters in emoji name'],
  ['suzuki', '庭', 'Invalid characters in emoji name'],
  ['suzuki', 'a'.repeat(61), 'Invalid characters in emoji name'],
  ['suzuki', 'niwa_', 'Emoji names must end with either a letter or digit.'],
  ['suzuki', 'engawa', 'A custom emoji with this name already exists.'],
  ['suzuki', 'tea', 'Only administrators can override default emoji.'],
])('%s cannot add a custom emoji with the name %j: %s', async (name, emoji, msg) => {
  const server = await eg.server();
  const { addEmoji, checkNewEmoji } = server.running();
  await expect(addEmoji(server.user(name), emoji, '/x')).rejects.toThrow(msg);
  expect(() => checkNewEmoji(server.user(name), emoji)).toThrow(msg);
  const { emoji: all } = await eg.signIn(server, 'ito').ok(api.getRealmEmoji, {});
  expect(Object.keys(all)).toEqual(['1', '2']);
});

it('An organisation has a limited number of custom emoji', async () => {
  const names = Array.from({ length: api.maxRealmEmoji }, (_, index) => `e${index}`);
  const emoji = names.map((name) => ({ name, source_url: '/x', author: eg.emailOf('sato'), deactivated: false }));
  const server = await eg.server({ organisation: eg.organisation({ emoji }) });
  const { addEmoji } = server.running();
  await expect(addEmoji(server.user('sato'), 'niwa', '/x')).rejects.toThrow('Too many custom emoji (limit: 500).');
  await eg.signIn(server, 'sato').ok(api.deleteRealmEmoji, { emoji_name: 'e7' });
  await addEmoji(server.user('sato'), 'niwa', '/x');
});

const ticket = { pattern: 'T-(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' };

it('[R7.6] An administrator adds, changes, orders and removes linkifiers, and messages follow at once', async () => {
  const server = await eg.server({ organisation: eg.organisation({ linkifiers: [] }) });
  const sato = eg.signIn(server, 'sato');
  const { id: message_id } = await sato.ok(api.sendMessage, eg.streamMessage('T-12'));
  const html = async () => (await eg.signIn(server, 'suzuki').ok(api.getMessage, { message_id })).message.content;
  const { id } = await sato.ok(api.addLinkifier, ticket);
  expect(await html()).toBe('<p><a href="https://tickets.example/12">T-12</a></p>');
  // The Python format of older clients.
  await sato.ok(api.updateLinkifier, { filter_id: id, pattern: ticket.pattern, url_template: 'https://t.example/%(id)s' });
  expect(await html()).toBe('<p><a href="https://t.example/12">T-12</a></p>');
  const { id: other } = await sato.ok(api.addLinkifier, {
    pattern: '(?P<all>T-[0-9]+)',
    url_template: 'https://all.example/{all}',
  });
  await sato.ok(api.reorderLinkifiers, { ordered_linkifier_ids: [other, id] });
  expect(await html()).toBe('<p><a href="https://all.example/T-12">T-12</a></p>');
  expect((await sato.refused(api.reorderLinkifiers, { ordered_linkifier_ids: [other, other] })).msg).toBe(
    'Invalid ordered list of linkifiers',
  );
  await sato.ok(api.removeLinkifier, { filter_id: other });
  await sato.ok(api.removeLinkifier, { filter_id: id });
  expect(await html()).toBe('<p>T-12</p>');
});

it.each([
  ['', 'Bad regular expression: empty or too long'],
  ['(?P<id>[0-9]+', 'Bad regular expression'],
  ['(?P<id>(a+)+)b', 'Bad regular expression: groups may not repeat'],
  ['(?P<id>a)(?=b)', 'Bad regular expression: unsupported'],
  ['(?P<id>a)\\1', 'Bad regular expression: unsupported'],
  ['(?P<id>a*a*a*a*a*)b', 'Bad regular expression: too slow'],
  // They match no ASCII letter.
  ['(?P<id>[^\\x00-\\x7f]+[^\\x00-\\x7f]+[^\\x00-\\x7f]+)#', 'Bad regular expression: too slow'],
  ['(?P<id>[\\u0400-\\u04ff]+[\\u0400-\\u04ff]+[\\u0400-\\u04ff]+)#', 'Bad regular expression: too slow'],
  ['(?P<other>[0-9]+)', 'The groups of the pattern and the variables of the URL template must be the same.'],
  ['#(?P<id>[0-9]+)', 'Linkifier already exists.'],
])('The pattern %j of a linkifier is refused with “%s”', async (pattern, msg) => {
  const sato = eg.signIn(await eg.server(), 'sato');
  const url_template = 'https://tickets.example/{id}';
  expect((await sato.refused(api.addLinkifier, { pattern, url_template })).msg).toBe(msg);
});

it('Other calls are answered while a slow pattern of a linkifier is checked', async () => {
  const sato = eg.signIn(await eg.server(), 'sato');
  const answered: string[] = [];
  const slow = { pattern: '(?P<id>a*a*a*a*a*)b', url_template: 'https://tickets.example/{id}' };
  await Promise.all([
    sato.refused(api.addLinkifier, slow).then(() => answered.push('the pattern')),
    sato.ok(api.getLinkifiers, {}).then(() => answered.push('the linkifiers')),
  ]);
  expect(answered).toEqual(['the linkifiers', 'the pattern']);
});

it.each(['javascript:alert({id})', '/relative/{id}', 'https://x.example/{id', ''])(
  'The URL template %j of a linkifier is refused',
  async (url_template) => {
    const sato = eg.signIn(await eg.server(), 'sato');
    expect((await sato.refused(api.addLinkifier, { ...ticket, url_template })).msg).toBe('Invalid URL template.');
  },
);

it('[R7.6] Register lists the playgrounds, whose address has the variable code only', async () => {
  const sato = eg.signIn(await eg.server(), 'sato');
  const playground = { name: '試し', pygments_language: 'Python', url_template: 'https://py.example/{code}' };
  const { id } = await sato.ok(api.addPlayground, playground);
  const listed = async () => (await sato.ok(api.registerQueue, { fetch_event_types: ['realm_playgrounds'] })).realm_playgrounds;
  expect(await listed()).toEqual([{ id, ...playground }]);
  expect((await sato.refused(api.addPlayground, playground)).msg).toBe('Playground already exists.');
  const wrong = { ...playground, name: '別の', url_template: 'https://py.example/{text}' };
  expect((await sato.refused(api.addPlayground, wrong)).msg).toBe('The URL template needs the variable “code” only.');
  await sato.ok(api.removePlayground, { playground_id: id });
  expect(await listed()).toEqual([]);
});

const linkifiers = [
  { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' },
  { pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)', url_template: 'https://git.example/{org}/{repo}?q=100%25' },
];

it('[R7.6] GET /realm/linkifiers returns the linkifiers in order', async () => {
  const server = await eg.server({ organisation: eg.organisation({ linkifiers }) });
  expect(await eg.signIn(server, 'takahashi').ok(api.getLinkifiers, {})).toEqual({
    linkifiers: linkifiers.map((linkifier, index) => ({ id: index + 1, ...linkifier })),
  });
});

it('[R7.6] GET /realm/filters returns linkifiers with Python format strings for older clients', async () => {
  const server = await eg.server({ organisation: eg.organisation({ linkifiers }) });
  const { filters } = await eg.signIn(server, 'ito').ok(api.getRealmFilters, {});
  expect(filters).toEqual([
    ['#(?P<id>[0-9]+)', 'https://tickets.example/%(id)s', 1],
    ['(?P<org>[a-z]+)/(?P<repo>[a-z]+)', 'https://git.example/%(org)s/%(repo)s?q=100%%25', 2],
  ]);
  expect(filters.map(([, format]) => api.urlTemplateOf(format))).toEqual(linkifiers.map((each) => each.url_template));
});
