import {
  type ParametersIn,
  addressDirect,
  addressStream,
  getEvents,
  type registerQueue,
  roles,
  sendMessage,
  setTypingStatus,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { usedMemory } from '../testing/memory.ts';
import { inShort, queueOf, waits } from '../testing/queue.ts';
import { Fleeting } from './ephemeral.ts';

const withStreams = { client_capabilities: { stream_typing_notifications: true } };
const message = (content: string, to: string = eg.general) => ({
  type: 'stream',
  to: addressStream(to),
  topic: 't',
  content,
});

const open = '掲示板';
const withPublicStream = eg.organisation({
  streams: [...eg.organisation().streams, { ...eg.stream(open, ['tanaka', 'sato']), invite_only: false }],
});

/** 田中, who types in 総務部, and the queues of others. */
async function typing(organisation = eg.organisation()) {
  const server = await eg.server({ organisation });
  const tanaka = eg.signIn(server, 'tanaka');
  const types = (topic: string, stream: string = eg.general, op: 'start' | 'stop' = 'start') =>
    tanaka.ok(setTypingStatus, { op, type: 'stream', stream_id: server.stream(stream), topic });
  return {
    server,
    tanaka,
    types,
    stops: (topic: string) => types(topic, eg.general, 'stop'),
    says: (content: string, to: string = eg.general) => tanaka.ok(sendMessage, message(content, to)),
    typesTo: (...names: string[]) => tanaka.ok(setTypingStatus, { op: 'start', to: addressDirect(names.map(server.user)) }),
    queueOf: (name: string, asked: ParametersIn<typeof registerQueue> = withStreams) => queueOf(eg.signIn(server, name), asked),
  };
}

describe('a fleeting event', () => {
  it('[R3.8] answers the poll that waits for it, before any timer has moved', async () => {
    const { types, queueOf } = await typing();
    const sato = await queueOf('sato');
    const waiting = sato.wait();
    expect(await waits(waiting)).toBe(true);
    await types('昼食');
    expect((await waiting).map(inShort)).toEqual(['typing start 昼食']);
  });

  it('is heard between two polls by the next one, for fifteen seconds', async () => {
    const { server, types, queueOf } = await typing();
    const [soon, late] = [await queueOf('sato'), await queueOf('suzuki')];
    await types('昼食');
    await server.clock.jump(14.9);
    expect((await soon.wait()).map(inShort)).toEqual(['typing start 昼食']);
    await server.clock.jump(0.1);
    expect(await late.take()).toEqual([]);
  });

  it('is heard once on a queue, and on every queue', async () => {
    const { types, queueOf } = await typing();
    const [one, other] = [await queueOf('sato'), await queueOf('sato')];
    await types('昼食');
    expect((await one.take()).map(inShort)).toEqual(['typing start 昼食']);
    expect(await one.take()).toEqual([]);
    expect(await waits(one.wait())).toBe(true);
    expect((await other.take()).map(inShort)).toEqual(['typing start 昼食']);
  });

  it('is not repeated where what is kept is asked for again', async () => {
    const { types, says, queueOf } = await typing();
    const sato = await queueOf('sato');
    await says('一');
    await types('昼食');
    expect((await sato.look()).map(inShort)).toEqual(['message 一', 'typing start 昼食']);
    expect((await sato.look()).map(inShort)).toEqual(['message 一']);
  });

  it('is heard by one of two polls that begin at once', async () => {
    const { types, queueOf } = await typing();
    const sato = await queueOf('sato');
    const both = [sato.wait(), sato.wait()];
    await settled();
    await types('昼食');
    expect((await Promise.all(both)).flat().map(inShort)).toEqual(['typing start 昼食']);
  });

  it('of the same kind and place is heard as it was told last', async () => {
    const { types, stops, queueOf } = await typing();
    const sato = await queueOf('sato');
    await types('昼食');
    await types('夕食');
    await types('朝食');
    await stops('昼食');
    expect((await sato.take()).map(inShort)).toEqual(['typing start 夕食', 'typing start 朝食', 'typing stop 昼食']);
    await types('夕食');
    expect((await sato.take()).map(inShort)).toEqual(['typing start 夕食']);
  });

  it('stands last and bears the newest id that was looked at, so that nothing is skipped or comes twice', async () => {
    const { types, says, queueOf } = await typing();
    const sato = await queueOf('sato');
    const before = sato.cursor;
    await types('昼食');
    await says('for 佐藤');
    await says('not for 佐藤', eg.numbered);
    const heard = await sato.look();
    expect(heard.map(({ id, type }) => [id, type])).toEqual([
      [before + 1, 'message'],
      [before + 2, 'typing'],
    ]);
    sato.cursor = before + 2;
    expect(await sato.take()).toEqual([]);
    await says('二');
    expect((await sato.take()).map(inShort)).toEqual(['message 二']);
  });

  it('bears the id that the queue stands at where nothing else has happened', async () => {
    const { types, says, queueOf } = await typing();
    const sato = await queueOf('sato');
    const waiting = sato.wait();
    await settled();
    const { cursor } = sato;
    await types('昼食');
    expect(await waiting).toMatchObject([{ type: 'typing', id: cursor }]);
    await says('一');
    expect((await sato.wait()).map(({ id }) => id)).toEqual([cursor + 1]);
  });

  it('bears the id of the heartbeat where more has happened than one poll looks at', async () => {
    const { types, says, queueOf } = await typing();
    const sato = await queueOf('sato');
    const before = sato.cursor;
    await Promise.all(Array.from({ length: 1005 }, () => says('not for 佐藤', eg.numbered)));
    await says('for 佐藤');
    await types('昼食');
    expect((await sato.take()).map(({ id, type }) => [id, type])).toEqual([
      [before + 1000, 'heartbeat'],
      [before + 1000, 'typing'],
    ]);
    expect((await sato.take()).map(inShort)).toEqual(['message for 佐藤']);
  });

  it('is never written down', async () => {
    const { server, types, typesTo, queueOf } = await typing();
    const { database, log } = fileOf(server);
    const before = log.bounds(database.reader);
    const sato = await queueOf('sato');
    await types('昼食');
    await typesTo('sato');
    expect(log.bounds(database.reader)).toEqual(before);
    await server.restart();
    expect(await sato.take()).toEqual([]);
  });
});

describe('[R6.1] a fleeting event is not heard', () => {
  it('by those who are not in the stream', async () => {
    const { types, queueOf } = await typing();
    const [ito, suzuki] = [await queueOf('ito'), await queueOf('suzuki')];
    const waiting = [ito.wait(), suzuki.wait()];
    await settled();
    await types('給与', eg.personnel);
    for (const poll of waiting) expect(await waits(poll)).toBe(true);
    expect(await ito.take()).toEqual([]);
  });

  it.each([eg.general, open])('by one who has left %s since', async (stream) => {
    const { server, types, queueOf } = await typing(withPublicStream);
    const [left, told] = [await queueOf('sato', { ...withStreams, event_types: ['typing'] }), await queueOf('tanaka')];
    await types('昼食', stream);
    await leaves(server, 'sato', stream);
    expect(await left.take()).toEqual([]);
    await types('夕食', stream);
    expect(await left.take()).toEqual([]);
    expect((await told.take()).map(inShort)).toContain('typing start 夕食');
  });

  it('by one who joined after it', async () => {
    const { server, types, queueOf } = await typing();
    const ito = await queueOf('ito', { ...withStreams, event_types: ['typing'] });
    await types('昼食');
    await joins(server, 'ito', eg.general);
    expect(await ito.take()).toEqual([]);
    await types('夕食');
    expect((await ito.take()).map(inShort)).toEqual(['typing start 夕食']);
  });

  it('by a member of a public stream who is not subscribed to it', async () => {
    const { types, queueOf } = await typing(withPublicStream);
    const suzuki = await queueOf('suzuki', { ...withStreams, all_public_streams: true });
    const sato = await queueOf('sato');
    await types('昼食', open);
    expect(await suzuki.take()).toEqual([]);
    expect((await sato.take()).map(inShort)).toEqual(['typing start 昼食']);
  });

  it('by others than those whom it is addressed to', async () => {
    const { typesTo, queueOf } = await typing();
    const [tanaka, sato] = [await queueOf('tanaka', {}), await queueOf('sato', {})];
    const [suzuki, takahashi] = [await queueOf('suzuki', {}), await queueOf('takahashi', {})];
    const waiting = takahashi.wait();
    await settled();
    await typesTo('sato', 'suzuki');
    for (const queue of [tanaka, sato, suzuki]) {
      expect((await queue.take()).map(inShort)).toEqual(['typing start tanaka@example.com']);
    }
    expect(await waits(waiting)).toBe(true);
  });

  it('on a queue whose types leave it out', async () => {
    const { types, typesTo, queueOf } = await typing();
    const sato = await queueOf('sato', { ...withStreams, event_types: ['message'] });
    const waiting = sato.wait();
    await settled();
    await types('昼食');
    await typesTo('sato');
    expect(await waits(waiting)).toBe(true);
    expect(await sato.take()).toEqual([]);
  });

  it('on a queue that did not say that it understands it in streams', async () => {
    const { types, typesTo, queueOf } = await typing();
    const sato = await queueOf('sato', {});
    await types('昼食');
    await typesTo('sato');
    expect((await sato.take()).map(inShort)).toEqual(['typing start tanaka@example.com']);
  });
});

describe('a burst of fleeting events', () => {
  it('of 10,000 about one thing leaves one', async () => {
    const { types, queueOf } = await typing();
    const sato = await queueOf('sato');
    await Promise.all(Array.from({ length: 10_000 }, () => types('昼食')));
    expect((await sato.take()).map(inShort)).toEqual(['typing start 昼食']);
  });

  it('of 10,000 leaves the newest 1,000, each once, while one who waits hears the first at once', async () => {
    const { types, queueOf } = await typing();
    const [sato, suzuki] = [await queueOf('sato'), await queueOf('suzuki')];
    const waiting = suzuki.wait();
    await settled();
    const topics = Array.from({ length: 10_000 }, (_, index) => `${index}`);
    await Promise.all(topics.map((topic) => types(topic)));
    const newest = topics.slice(-1000).map((topic) => `typing start ${topic}`);
    expect((await waiting).map(inShort)).toEqual(['typing start 0']);
    expect((await sato.take()).map(inShort)).toEqual(newest);
    expect((await suzuki.take()).map(inShort)).toEqual(newest);
    expect(await sato.take()).toEqual([]);
  });

  it('is forgotten, with who was told of it, however many queues ask', async () => {
    const server = await eg.server();
    const { database } = fileOf(server);
    const fleeting = new Fleeting(server.clock);
    const asks = (id: string) => fleeting.take(database.reader, { ...satosQueue, id }, 7);
    const before = usedMemory();
    for (let second = 0; second < 300; second += 1) {
      fleeting.tell({ type: 'typing', about: `${second}`, userIds: new Set(), hears: () => true, texts: () => [] });
      for (let queue = 0; queue < 1000; queue += 1) asks(`${second} ${queue}`);
      await server.clock.jump(1);
    }
    // Of 300,000 queues those of the last fifteen seconds are remembered.
    expect(usedMemory() - before).toBeLessThan(8_000_000);
  });
});

const satosQueue = {
  member: { id: 2, email: eg.emailOf('sato'), role: roles.administrator, keyId: 1 },
  options: {
    apply_markdown: false,
    narrow: [],
    all_public_streams: false,
    bulk_message_deletion: true,
    stream_typing_notifications: true,
    notification_settings_null: false,
    simplified_presence_events: false,
    slim_presence: false,
  },
  began: 0,
  lifespan: 600,
};

it('a poll that does not wait hears of what is fleeting, too', async () => {
  const { server, types } = await typing();
  const sato = eg.signIn(server, 'sato');
  const { id: queue_id, cursor } = await queueOf(sato, withStreams);
  await types('昼食');
  const { events } = await sato.ok(getEvents, { queue_id, last_event_id: cursor, dont_block: true });
  expect(events).toEqual([
    {
      id: cursor,
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      sender: { user_id: server.user('tanaka'), email: 'tanaka@example.com' },
      stream_id: server.stream(eg.general),
      topic: '昼食',
    },
  ]);
});
