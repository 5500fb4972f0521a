import * as api from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../database/index.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { noGroups } from '../identity/groups.ts';
import { AlertWordIndex } from '../reading/alertWordIndex.ts';
import { flagByContent } from './contentFlags.ts';

const usual = eg.organisation();
/** Two members of one name, of whom one is in the stream. */
const namesakes = eg.organisation({
  users: [...usual.users, eg.person('sato2', '佐藤 花子', api.roles.member), eg.person('brown', 'Bob Brown', api.roles.member)],
  streams: usual.streams.map((stream) =>
    stream.name === eg.general ? { ...stream, subscribers: [...stream.subscribers, eg.emailOf('brown')] } : stream,
  ),
});

async function speaking(organisation = namesakes, groups: NonNullable<Parameters<typeof eg.server>[0]>['groups'] = {}) {
  const server = await eg.server({ organisation, groups });
  const as = (name: string) => eg.signIn(server, name);
  const says = async (content: string, more: Partial<api.ParametersIn<typeof api.sendMessage>> = {}, by = 'tanaka') => {
    const sending = { type: 'stream', to: eg.general, topic: '予定', content, ...more };
    return (await as(by).ok(api.sendMessage, sending)).id;
  };
  return {
    server,
    as,
    says,
    flags: async (name: string, id: number) => (await as(name).ok(api.getMessage, { message_id: id })).message.flags,
    /** Who of the stream sees the flag. */
    flagged: async (id: number, flag: string) => {
      const members = ['tanaka', 'sato', 'suzuki', 'takahashi', 'brown'];
      const seen = await Promise.all(members.map((name) => as(name).ok(api.getMessage, { message_id: id })));
      return members.filter((_, index) => seen[index]?.message.flags?.includes(flag));
    },
    mentions: async (name: string) => (await as(name).ok(api.registerQueue, {})).unread_msgs?.mentions,
  };
}

describe('a mention', () => {
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
  ])('%j calls %j', async (content, called) => {
    const { says, flagged } = await speaking();
    expect(await flagged(await says(content), 'mentioned')).toEqual(called);
  });

  it('calls nobody where our own client quotes it, and everybody in the answer', async () => {
    const { says, flagged } = await speaking();
    const content = '> @**佐藤 花子**\n> > @**佐藤 花子**\n\n@**鈴木 一郎** さんへ';
    expect(await flagged(await says(content, { client: 'Engawa' }), 'mentioned')).toEqual(['suzuki']);
  });

  it('names by id who is meant, whatever name stands before it', async () => {
    const { server, says, flagged } = await speaking();
    const sato = server.user('sato');
    expect(await flagged(await says(`@**佐藤 花子|${sato}**`), 'mentioned')).toEqual(['sato']);
    expect(await flagged(await says(`@**|${sato}**`), 'mentioned')).toEqual(['sato']);
    expect(await flagged(await says(`@**鈴木 一郎|${sato}**`), 'mentioned')).toEqual(['sato']);
    expect(await flagged(await says('@**佐藤 花子|999**'), 'mentioned')).toEqual([]);
  });

  it('[R4.12] by a name that nobody has any more calls who had it last, and whoever takes it where somebody does', async () => {
    const { as, says, flagged } = await speaking();
    await as('suzuki').ok(api.updateSettings, { full_name: '鈴木 三郎' });
    expect(await flagged(await says('@**鈴木 一郎**'), 'mentioned')).toEqual(['suzuki']);
    await as('brown').ok(api.updateSettings, { full_name: '鈴木 一郎' });
    expect(await flagged(await says('@**鈴木 一郎**'), 'mentioned')).toEqual(['brown']);
    await as('brown').ok(api.updateSettings, { full_name: 'Robert Brown' });
    expect(await flagged(await says('@**鈴木 一郎**'), 'mentioned')).toEqual(['brown']);
  });

  it('reaches one who may read a message and did not receive it', async () => {
    const { server, says, as, flags } = await speaking();
    await joins(server, 'ito', eg.general);
    await leaves(server, 'ito', eg.general);
    const id = await says('@**伊藤 誠**');
    await joins(server, 'ito', eg.general);
    expect(await flags('ito', id)).toEqual(['read', 'historical']);
    await as('tanaka').ok(api.editMessage, { message_id: id, content: '@**伊藤 誠** さん' });
    expect(await flags('ito', id)).toEqual(['read', 'mentioned', 'historical']);
  });

  it('is on the event that tells of the message, for the one who is called', async () => {
    const { as, says } = await speaking();
    const [sato, suzuki] = [await queueOf(as('sato')), await queueOf(as('suzuki'))];
    await says('@**佐藤 花子**');
    expect(await sato.take()).toMatchObject([{ type: 'message', flags: ['mentioned'] }]);
    expect(await suzuki.take()).toMatchObject([{ type: 'message', flags: [] }]);
  });

  it('follows the content when that is corrected, and what a member set stays', async () => {
    const { as, says, flagged, flags } = await speaking();
    const id = await says('@**佐藤 花子**');
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

  it('calls in a direct message, too', async () => {
    const { server, says, flags } = await speaking();
    const to = JSON.stringify([server.user('sato'), server.user('suzuki')]);
    const id = await says('@**佐藤 花子** @**高橋 恵**', { type: 'direct', to });
    expect(await flags('sato', id)).toEqual(['mentioned']);
    expect(await flags('suzuki', id)).toEqual([]);
  });

  it('is followed so often in one message only', async () => {
    const { says, flagged } = await speaking();
    const others = Array.from({ length: api.maxMentionsPerMessage }, (_, index) => `@**会員 ${index}**`);
    expect(await flagged(await says([...others.slice(1), '@**佐藤 花子**'].join('')), 'mentioned')).toEqual(['sato']);
    expect(await flagged(await says([...others, '@**佐藤 花子**'].join('')), 'mentioned')).toEqual([]);
  });
});

describe('a mention of a group', () => {
  const groups = { 開発部: ['sato', 'suzuki', 'ito'], 'QA（東京）': ['brown', 'sato'] };

  it.each([
    ['@*開発部* 集まってください', ['sato', 'suzuki']],
    ['お疲れ様です。@*開発部*の皆さん、@*QA（東京）*の皆さん', ['sato', 'suzuki', 'brown']],
    ['@*開発部* と @**佐藤 花子**', ['sato', 'suzuki']],
    ['@_*開発部* は忙しい', []],
    ['@*開発*', []],
    ['`@*開発部*`', []],
  ])('[I5.5] %j calls those of it who are in the conversation: %j', async (content, called) => {
    const { says, flagged } = await speaking(namesakes, groups);
    const who = await flagged(await says(content), 'mentioned');
    expect(who.toSorted()).toEqual([...called].toSorted());
  });

  it('[I5.5] counts for them, and follows the content when that is corrected', async () => {
    const { as, says, mentions, flagged } = await speaking(namesakes, groups);
    const id = await says('@*開発部*');
    expect(await mentions('sato')).toEqual([id]);
    expect(await mentions('takahashi')).toEqual([]);
    await as('tanaka').ok(api.editMessage, { message_id: id, content: '@*QA（東京）*' });
    expect(await flagged(id, 'mentioned')).toEqual(['sato', 'brown']);
  });

  it('[I5.5] calls so many with all groups together, and whoever is named besides', async () => {
    const crowd = Array.from({ length: api.maxGroupMentioned - 1 }, (_, index) => 1000 + index);
    const all = [...crowd, 'suzuki', 'brown'];
    const { says, flagged } = await speaking(namesakes, { 全社: all, 本社: crowd, 東京: [...crowd, 'brown'] });
    expect(await flagged(await says('@*全社* @**佐藤 花子**'), 'mentioned')).toEqual(['sato', 'suzuki']);
    expect(await flagged(await says('@*全社* @*東京*'), 'mentioned')).toEqual(['suzuki']);
    // Who is in both counts once.
    expect(await flagged(await says('@*本社* @*東京*'), 'mentioned')).toEqual(['brown']);
  });
});

describe('a mention of all', () => {
  it('calls those who received the message, and not who came later', async () => {
    const { server, says, flags } = await speaking();
    const id = await says('@**all** 集合');
    await joins(server, 'ito', eg.general);
    expect(await flags('sato', id)).toEqual(['wildcard_mentioned', 'stream_wildcard_mentioned']);
    expect(await flags('tanaka', id)).toEqual(['read', 'wildcard_mentioned', 'stream_wildcard_mentioned']);
    expect(await flags('ito', id)).toEqual(['read', 'historical']);
  });
});

describe('a message that calls nobody', () => {
  it('costs one look-up more where nobody has alert words', async () => {
    const { server } = await speaking();
    const { database } = fileOf(server);
    let statements = 0;
    await database.write((tx) => {
      const counting: Transaction = {
        all: (...asked) => ((statements += 1), tx.all(...asked)),
        get: (...asked) => ((statements += 1), tx.get(...asked)),
        run: (...asked) => ((statements += 1), tx.run(...asked)),
        afterCommit: tx.afterCommit,
      };
      const message = { id: 1, conversation_id: 1, content: 'https://example.com/ @佐藤', client: 'website' };
      flagByContent(counting, { alertWordIndex: new AlertWordIndex(), groups: noGroups }, message);
    });
    expect(statements).toBe(1);
  });
});

describe('unread_msgs.mentions', () => {
  it('lists what calls the member by name or with all and is not read, ascending', async () => {
    const { as, says, mentions } = await speaking();
    const named = await says('@**佐藤 花子**');
    await says('そのほか');
    const all = await says('@**all**', { to: eg.personnel });
    const again = await says('@**佐藤 花子** @**all**');
    const own = await says('@**佐藤 花子** @**all**', {}, 'sato');
    expect(await mentions('sato')).toEqual([named, all, again]);
    expect(await mentions('suzuki')).toEqual([again, own]);
    await as('sato').ok(api.updateMessageFlags, { messages: [named, again], op: 'add', flag: 'read' });
    expect(await mentions('sato')).toEqual([all]);
    expect(await mentions('ito')).toEqual([]);
  });

  it('is told with what is marked as unread', async () => {
    const { as, says } = await speaking();
    const ids = [await says('@**佐藤 花子**'), await says('@**all**'), await says('一')];
    const sato = as('sato');
    await sato.ok(api.updateMessageFlags, { messages: ids, op: 'add', flag: 'read' });
    const queue = await queueOf(sato);
    await sato.ok(api.updateMessageFlags, { messages: ids, op: 'remove', flag: 'read' });
    const [event] = await queue.take();
    const details = event?.type === 'update_message_flags' ? event.message_details : undefined;
    expect(ids.map((id) => details?.[id]?.mentioned)).toEqual([true, true, undefined]);
  });
});

async function listening(words: Readonly<Record<string, readonly string[]>>) {
  const speakers = await speaking();
  for (const [name, own] of Object.entries(words)) {
    await speakers.as(name).ok(api.addAlertWords, { alert_words: [...own] });
  }
  return speakers;
}

describe('an alert word', () => {
  it.each([
    ['本日障害が発生しました', ['sato']],
    ['ｱﾗｰﾄ', ['sato']],
    ['Ｅｎｇａｗａを使う', ['brown']],
    ['engawas', []],
    ['いつもどおり', []],
  ])('in %j alerts %j', async (content, alerted) => {
    const { says, flagged } = await listening({ sato: ['障害', 'アラート'], brown: ['engawa'], ito: ['障害'] });
    expect(await flagged(await says(content), 'has_alert_word')).toEqual(alerted);
  });

  it('is flagged to everybody whose word it is and who is there, last of what is seen', async () => {
    const { as, says, flags } = await listening({ sato: ['障害'], suzuki: ['障害'] });
    const suzuki = await queueOf(as('suzuki'));
    const id = await says('@**佐藤 花子** 障害');
    expect(await flags('sato', id)).toEqual(['mentioned', 'has_alert_word']);
    expect(await suzuki.take()).toMatchObject([{ type: 'message', flags: ['has_alert_word'] }]);
  });

  it('holds from when it is added until it is taken away', async () => {
    const { as, says, flagged } = await listening({});
    const before = await says('障害');
    await as('sato').ok(api.addAlertWords, { alert_words: ['障害'] });
    const between = await says('障害');
    await as('sato').ok(api.removeAlertWords, { alert_words: ['障害'] });
    const after = await says('障害');
    for (const [id, alerted] of [
      [before, []],
      [between, ['sato']],
      [after, []],
    ] as const) {
      expect(await flagged(id, 'has_alert_word')).toEqual(alerted);
    }
  });

  it('alerts nobody who is deactivated', async () => {
    const { server, as, says, flagged } = await listening({ sato: ['障害'], brown: ['障害'] });
    await as('tanaka').ok(api.deactivateUser, { user_id: server.user('sato') });
    const id = await says('障害');
    await as('tanaka').ok(api.reactivateUser, { user_id: server.user('sato') });
    expect(await flagged(id, 'has_alert_word')).toEqual(['brown']);
  });

  it('follows the content when that is corrected', async () => {
    const { as, says, flagged } = await listening({ sato: ['障害'], brown: ['復旧'] });
    const id = await says('障害');
    await as('tanaka').ok(api.editMessage, { message_id: id, content: '復旧' });
    expect(await flagged(id, 'has_alert_word')).toEqual(['brown']);
  });

  it('is known after a restart', async () => {
    const { server, says, flagged } = await listening({ sato: ['障害'] });
    await server.restart();
    expect(await flagged(await says('障害'), 'has_alert_word')).toEqual(['sato']);
  });

  it('is looked for in the name of a file, not in how it is stored', async () => {
    const { says, flagged } = await listening({ sato: ['見積'], brown: ['pdf', 'engawa'] });
    const file = api.composeFileMessage({ name: '見積書.xlsx', storedName: `${'a'.repeat(20)}.pdf`, size: 1 });
    expect(await flagged(await says(file), 'has_alert_word')).toEqual(['sato']);
  });
});
