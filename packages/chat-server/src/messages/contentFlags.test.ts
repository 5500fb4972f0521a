import * as api from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../database/index.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { noGroups } from '../identity/groups.ts';
import { AlertWordIndex } from '../reading/alertWords.ts';
import { flagByContent } from './contentFlags.ts';

const usual = eg.organisation();
/** Two members share a name, and only one of them subscribes to the stream. */
const namesakes = eg.organisation({
  users: [...usual.users, eg.person('sato2', '佐藤 花子', api.roles.member), eg.person('brown', 'Bob Brown', api.roles.member)],
  streams: usual.streams.map((stream) =>
    stream.name === eg.general ? { ...stream, subscribers: [...stream.subscribers, eg.emailOf('brown')] } : stream,
  ),
});

async function setup(organisation = namesakes, groups: NonNullable<Parameters<typeof eg.server>[0]>['groups'] = {}) {
  const server = await eg.server({ organisation, groups });
  const as = (name: string) => eg.signIn(server, name);
  const send = async (content: string, more: Partial<api.ParametersIn<typeof api.sendMessage>> = {}, by = 'tanaka') => {
    const request = { type: 'stream', to: eg.general, topic: '予定', content, ...more };
    return (await as(by).ok(api.sendMessage, request)).id;
  };
  return {
    server,
    as,
    send,
    flags: async (name: string, id: number) => (await as(name).ok(api.getMessage, { message_id: id })).message.flags,
    /** The subscribers who see the flag. */
    flagged: async (id: number, flag: string) => {
      const members = ['tanaka', 'sato', 'suzuki', 'takahashi', 'brown'];
      const seen = await Promise.all(members.map((name) => as(name).ok(api.getMessage, { message_id: id })));
      return members.filter((_, index) => seen[index]?.message.flags?.includes(flag));
    },
    mentions: async (name: string) => (await as(name).ok(api.registerQueue, {})).unread_msgs?.mentions,
  };
}

it.each([
  ['@**佐藤 花子** さん', ['sato']],
  ['お疲れ様です。@**佐藤 花子**さん、@**鈴木 一郎**さん', ['sato', 'suzuki']],
  ['@**bob brown**', ['brown']],
  ['@**伊藤 誠** は外にいます', []],
  ['@**誰か**', []],
  ['@_**佐藤 花子** は言いました', []],
  ['`@**佐藤 花子**`', []],
  ['```\n@**佐藤 花子**\n```', []],
  ['mail@**佐藤 花子**', []],
])('The message %j mentions %j', async (content, mentioned) => {
  const { send, flagged } = await setup();
  expect(await flagged(await send(content), 'mentioned')).toEqual(mentioned);
});

it('A mention inside a quote of the web client mentions nobody, while a mention below the quote does', async () => {
  const { send, flagged } = await setup();
  const content = '> @**佐藤 花子**\n> > @**佐藤 花子**\n\n@**鈴木 一郎** さんへ';
  expect(await flagged(await send(content, { client: 'Engawa' }), 'mentioned')).toEqual(['suzuki']);
});

it('A mention that contains a member id mentions that member, whatever name precedes the id', async () => {
  const { server, send, flagged } = await setup();
  const sato = server.user('sato');
  expect(await flagged(await send(`@**佐藤 花子|${sato}**`), 'mentioned')).toEqual(['sato']);
  expect(await flagged(await send(`@**|${sato}**`), 'mentioned')).toEqual(['sato']);
  expect(await flagged(await send(`@**鈴木 一郎|${sato}**`), 'mentioned')).toEqual(['sato']);
  expect(await flagged(await send('@**佐藤 花子|999**'), 'mentioned')).toEqual([]);
});

it('[R4.12] A mention by name mentions the current owner of the name, or else the member who had it last', async () => {
  const { as, send, flagged } = await setup();
  await as('suzuki').ok(api.updateSettings, { full_name: '鈴木 三郎' });
  expect(await flagged(await send('@**鈴木 一郎**'), 'mentioned')).toEqual(['suzuki']);
  await as('brown').ok(api.updateSettings, { full_name: '鈴木 一郎' });
  expect(await flagged(await send('@**鈴木 一郎**'), 'mentioned')).toEqual(['brown']);
  await as('brown').ok(api.updateSettings, { full_name: 'Robert Brown' });
  expect(await flagged(await send('@**鈴木 一郎**'), 'mentioned')).toEqual(['brown']);
});

it('An edit that adds a mention flags the message for a member who joined the stream after it was sent', async () => {
  const { server, send, as, flags } = await setup();
  await joins(server, 'ito', eg.general);
  await leaves(server, 'ito', eg.general);
  const id = await send('@**伊藤 誠**');
  await joins(server, 'ito', eg.general);
  expect(await flags('ito', id)).toEqual(['read', 'historical']);
  await as('tanaka').ok(api.editMessage, { message_id: id, content: '@**伊藤 誠** さん' });
  expect(await flags('ito', id)).toEqual(['read', 'mentioned', 'historical']);
});

it('The message event of a mentioned member contains the flag mentioned', async () => {
  const { as, send } = await setup();
  const [sato, suzuki] = [await queueOf(as('sato')), await queueOf(as('suzuki'))];
  await send('@**佐藤 花子**');
  expect(await sato.take()).toMatchObject([{ type: 'message', flags: ['mentioned'] }]);
  expect(await suzuki.take()).toMatchObject([{ type: 'message', flags: [] }]);
});

it('When the author edits a message, its mention flags change, and a star set by a member stays', async () => {
  const { as, send, flagged, flags } = await setup();
  const id = await send('@**佐藤 花子**');
  await as('sato').ok(api.updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
  const sato = await queueOf(as('sato'));
  await as('tanaka').ok(api.editMessage, { message_id: id, content: '@**鈴木 一郎** @**all**' });
  expect(await flagged(id, 'mentioned')).toEqual(['suzuki']);
  expect(await flags('sato', id)).toEqual(['starred', 'wildcard_mentioned', 'stream_wildcard_mentioned']);
  expect(await sato.take()).toMatchObject([{ type: 'update_message', flags: await flags('sato', id) }]);
  await as('tanaka').ok(api.editMessage, { message_id: id, content: 'やはり' });
  expect(await flagged(id, 'mentioned')).toEqual([]);
  expect(await flags('sato', id)).toEqual(['starred']);
});

it('A mention in a direct message sets the flag mentioned for the named participant', async () => {
  const { server, send, flags } = await setup();
  const to = JSON.stringify([server.user('sato'), server.user('suzuki')]);
  const id = await send('@**佐藤 花子** @**高橋 恵**', { type: 'direct', to });
  expect(await flags('sato', id)).toEqual(['mentioned']);
  expect(await flags('suzuki', id)).toEqual([]);
});

it('The server ignores mentions in a message beyond the maximum number per message', async () => {
  const { send, flagged } = await setup();
  const others = Array.from({ length: api.maxMentionsPerMessage }, (_, index) => `@**会員 ${index}**`);
  expect(await flagged(await send([...others.slice(1), '@**佐藤 花子**'].join('')), 'mentioned')).toEqual(['sato']);
  expect(await flagged(await send([...others, '@**佐藤 花子**'].join('')), 'mentioned')).toEqual([]);
});

describe('A mention of a group', () => {
  const groups = { 開発部: ['sato', 'suzuki', 'ito'], 'QA（東京）': ['brown', 'sato'] };

  it.each([
    ['@*開発部* 集まってください', ['sato', 'suzuki']],
    ['お疲れ様です。@*開発部*の皆さん、@*QA（東京）*の皆さん', ['sato', 'suzuki', 'brown']],
    ['@*開発部* と @**佐藤 花子**', ['sato', 'suzuki']],
    ['@_*開発部* は忙しい', []],
    ['@*開発*', []],
    ['`@*開発部*`', []],
  ])('[I5.5] The message %j mentions those members of the group who are in the conversation: %j', async (content, mentioned) => {
    const { send, flagged } = await setup(namesakes, groups);
    const members = await flagged(await send(content), 'mentioned');
    expect(members.toSorted()).toEqual([...mentioned].toSorted());
  });

  it('[I5.5] unread_msgs.mentions of POST /register lists mentions of the member’s group, and an edit changes who is mentioned', async () => {
    const { as, send, mentions, flagged } = await setup(namesakes, groups);
    const id = await send('@*開発部*');
    expect(await mentions('sato')).toEqual([id]);
    expect(await mentions('takahashi')).toEqual([]);
    await as('tanaka').ok(api.editMessage, { message_id: id, content: '@*QA（東京）*' });
    expect(await flagged(id, 'mentioned')).toEqual(['sato', 'brown']);
  });

  it('[I5.5] Group mentions in one message mention a limited number of members together, and mentions by name do not count', async () => {
    const outsiders = Array.from({ length: api.maxGroupMentioned - 1 }, (_, index) => 1000 + index);
    const all = [...outsiders, 'suzuki', 'brown'];
    const { send, flagged } = await setup(namesakes, { 全社: all, 本社: outsiders, 東京: [...outsiders, 'brown'] });
    expect(await flagged(await send('@*全社* @**佐藤 花子**'), 'mentioned')).toEqual(['sato', 'suzuki']);
    expect(await flagged(await send('@*全社* @*東京*'), 'mentioned')).toEqual(['suzuki']);
    // A member of both groups counts once.
    expect(await flagged(await send('@*本社* @*東京*'), 'mentioned')).toEqual(['brown']);
  });
});

it('A mention of everyone sets a flag for members who received the message, but not for later subscribers', async () => {
  const { server, send, flags } = await setup();
  const id = await send('@**all** 集合');
  await joins(server, 'ito', eg.general);
  expect(await flags('sato', id)).toEqual(['wildcard_mentioned', 'stream_wildcard_mentioned']);
  expect(await flags('tanaka', id)).toEqual(['read', 'wildcard_mentioned', 'stream_wildcard_mentioned']);
  expect(await flags('ito', id)).toEqual(['read', 'historical']);
});

it('flagByContent() needs no database query for a message without mentions or alert words, also after a change of alert words', async () => {
  const { server } = await setup();
  const { database } = fileOf(server);
  const alertWordIndex = new AlertWordIndex(database.reader);
  const statements: unknown[] = [];
  const flag = () =>
    database.write((tx) => {
      const counting: Transaction = {
        all: (...query) => (statements.push(query), tx.all(...query)),
        get: (...query) => (statements.push(query), tx.get(...query)),
        run: (...query) => (statements.push(query), tx.run(...query)),
        insert: (...query) => (statements.push(query), tx.insert(...query)),
        afterCommit: tx.afterCommit,
      };
      const message = { id: 1, conversation_id: 1, sender_id: 1, content: 'https://example.com/ @佐藤', client: 'website' };
      flagByContent(counting, { alertWordIndex, groups: noGroups }, message);
    });
  await flag();
  await database.write((tx) => alertWordIndex.change(tx, { userId: server.user('sato'), added: ['障害'] }));
  await flag();
  expect(statements).toEqual([]);
});

it('unread_msgs.mentions of POST /register lists the unread messages that mention the member or everyone, oldest first', async () => {
  const { as, send, mentions } = await setup();
  const named = await send('@**佐藤 花子**');
  await send('そのほか');
  const all = await send('@**all**', { to: eg.personnel });
  const again = await send('@**佐藤 花子** @**all**');
  const own = await send('@**佐藤 花子** @**all**', {}, 'sato');
  expect(await mentions('sato')).toEqual([named, all, again]);
  expect(await mentions('suzuki')).toEqual([again, own]);
  await as('sato').ok(api.updateMessageFlags, { messages: [named, again], op: 'add', flag: 'read' });
  expect(await mentions('sato')).toEqual([all]);
  expect(await mentions('ito')).toEqual([]);
});

it('When messages become unread, the event says which of them mention the member', async () => {
  const { as, send } = await setup();
  const ids = [await send('@**佐藤 花子**'), await send('@**all**'), await send('一')];
  const sato = as('sato');
  await sato.ok(api.updateMessageFlags, { messages: ids, op: 'add', flag: 'read' });
  const queue = await queueOf(sato);
  await sato.ok(api.updateMessageFlags, { messages: ids, op: 'remove', flag: 'read' });
  const [event] = await queue.take();
  const details = event?.type === 'update_message_flags' ? event.message_details : undefined;
  expect(ids.map((id) => details?.[id]?.mentioned)).toEqual([true, true, undefined]);
});

async function setupWithAlertWords(words: Readonly<Record<string, readonly string[]>>) {
  const context = await setup();
  for (const [name, own] of Object.entries(words)) {
    await context.as(name).ok(api.addAlertWords, { alert_words: [...own] });
  }
  return context;
}

it.each([
  ['本日障害が発生しました', ['sato']],
  ['ｱﾗｰﾄ', ['sato']],
  ['Ｅｎｇａｗａを使う', ['brown']],
  ['engawas', []],
  ['いつもどおり', []],
])('The message %j sets the flag has_alert_word for these members: %j', async (content, alerted) => {
  const { send, flagged } = await setupWithAlertWords({ sato: ['障害', 'アラート'], brown: ['engawa'], ito: ['障害'] });
  expect(await flagged(await send(content), 'has_alert_word')).toEqual(alerted);
});

it('An alert word sets the flag has_alert_word for every subscriber with this word, listed after other flags', async () => {
  const { as, send, flags } = await setupWithAlertWords({ sato: ['障害'], suzuki: ['障害'] });
  const suzuki = await queueOf(as('suzuki'));
  const id = await send('@**佐藤 花子** 障害');
  expect(await flags('sato', id)).toEqual(['mentioned', 'has_alert_word']);
  expect(await suzuki.take()).toMatchObject([{ type: 'message', flags: ['has_alert_word'] }]);
});

it('An alert word flags messages that are sent after it was added and before it was removed', async () => {
  const { as, send, flagged } = await setupWithAlertWords({});
  const before = await send('障害');
  await as('sato').ok(api.addAlertWords, { alert_words: ['障害'] });
  const between = await send('障害');
  await as('sato').ok(api.removeAlertWords, { alert_words: ['障害'] });
  const after = await send('障害');
  for (const [id, alerted] of [
    [before, []],
    [between, ['sato']],
    [after, []],
  ] as const) {
    expect(await flagged(id, 'has_alert_word')).toEqual(alerted);
  }
});

it('An alert word of two members still alerts one of them after the other has removed it', async () => {
  const { as, send, flagged } = await setupWithAlertWords({ sato: ['障害'], suzuki: ['障害', '復旧'] });
  expect(await flagged(await send('障害'), 'has_alert_word')).toEqual(['sato', 'suzuki']);
  await as('suzuki').ok(api.removeAlertWords, { alert_words: ['障害'] });
  expect(await flagged(await send('障害'), 'has_alert_word')).toEqual(['sato']);
  expect(await flagged(await send('復旧'), 'has_alert_word')).toEqual(['suzuki']);
});

it('AlertWordIndex ignores a change of alert words that is rolled back', async () => {
  const { server } = await setupWithAlertWords({ sato: ['障害'] });
  const { database } = fileOf(server);
  const alertWordIndex = new AlertWordIndex(database.reader);
  const message = { conversation_id: server.stream(eg.general), content: '障害と復旧' };
  expect(alertWordIndex.alertedBy(database.reader, message)).toEqual([server.user('sato')]);
  const change = { userId: server.user('brown'), added: ['復旧'] };
  const failing = database.write((tx) => {
    alertWordIndex.change(tx, change);
    throw new RangeError('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(alertWordIndex.alertedBy(database.reader, message)).toEqual([server.user('sato')]);
  await database.write((tx) => alertWordIndex.change(tx, change));
  expect(alertWordIndex.alertedBy(database.reader, message)).toEqual([server.user('sato'), server.user('brown')]);
});

it('A message with an alert word of a deactivated member sets no flag for this member', async () => {
  const { server, as, send, flagged } = await setupWithAlertWords({ sato: ['障害'], brown: ['障害'] });
  await as('tanaka').ok(api.deactivateUser, { user_id: server.user('sato') });
  const id = await send('障害');
  await as('tanaka').ok(api.reactivateUser, { user_id: server.user('sato') });
  expect(await flagged(id, 'has_alert_word')).toEqual(['brown']);
});

it('When the author edits a message, the flag has_alert_word follows the words of the new content', async () => {
  const { as, send, flagged } = await setupWithAlertWords({ sato: ['障害'], brown: ['復旧'] });
  const id = await send('障害');
  await as('tanaka').ok(api.editMessage, { message_id: id, content: '復旧' });
  expect(await flagged(id, 'has_alert_word')).toEqual(['brown']);
});

it('After a restart, the server still finds alert words in new messages', async () => {
  const { server, send, flagged } = await setupWithAlertWords({ sato: ['障害'] });
  await server.restart();
  expect(await flagged(await send('障害'), 'has_alert_word')).toEqual(['sato']);
});

it('The server finds alert words in the name of a file message, but not in its stored name', async () => {
  const { send, flagged } = await setupWithAlertWords({ sato: ['見積'], brown: ['pdf', 'engawa'] });
  const file = api.composeFileMessage({ name: '見積書.xlsx', storedName: `${'a'.repeat(20)}.pdf`, size: 1 });
  expect(await flagged(await send(file), 'has_alert_word')).toEqual(['sato']);
});
