import { type ParametersIn, type registerQueue, sendMessage, updateMessageFlags } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { messages } from '../messages/store.ts';
import { settled } from '../testing/clock.ts';
import { company, inside, outside, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { inShort, queueOf } from '../testing/queue.ts';

const message = (content: string, to: string = eg.general) => ({ type: 'stream', to, topic: 't', content });

async function speaking() {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  return {
    server,
    tanaka,
    says: (content: string, to: string = eg.general) => tanaka.ok(sendMessage, message(content, to)),
    queueOf: (name: string, asked: ParametersIn<typeof registerQueue> = {}) => queueOf(eg.signIn(server, name), asked),
  };
}

describe('a message event', () => {
  it('[R1.7] shows the message as it was typed, with the flags of the one who hears', async () => {
    const { server, says, queueOf } = await speaking();
    const [tanaka, sato] = [await queueOf('tanaka'), await queueOf('sato')];
    const { id } = await says('縁側で');
    expect(await sato.take()).toEqual([
      {
        id: sato.cursor,
        type: 'message',
        message: expect.objectContaining({
          id,
          content: '縁側で',
          content_type: 'text/x-markdown',
          sender_id: server.user('tanaka'),
          stream_id: server.stream(eg.general),
          display_recipient: eg.general,
        }),
        flags: [],
      },
    ]);
    expect(await tanaka.take()).toMatchObject([{ flags: ['read'] }]);
  });

  it('is HTML on a queue that asks for it, and as typed on the next', async () => {
    const { says, queueOf } = await speaking();
    const [html, typed] = [await queueOf('sato', { apply_markdown: true }), await queueOf('sato')];
    await says('<b>');
    const asHtml = { content: '<p>&#60;b&#62;</p>', content_type: 'text/html' };
    expect(await html.take()).toMatchObject([{ message: asHtml }]);
    expect(await typed.take()).toMatchObject([{ message: { content: '<b>', content_type: 'text/x-markdown' } }]);
  });

  it('is each one’s own where many wait for it at once', async () => {
    const { says, queueOf } = await speaking();
    const queues = await Promise.all([
      queueOf('tanaka'),
      queueOf('sato'),
      queueOf('suzuki'),
      queueOf('tanaka', { apply_markdown: true }),
      queueOf('sato', { apply_markdown: true }),
    ]);
    const waiting = Promise.all(queues.map((queue) => queue.wait()));
    await settled();
    await says('縁');
    const heard = (await waiting).flat();
    expect(heard.map((event) => event.type === 'message' && [event.message.content, event.flags])).toEqual([
      ['縁', ['read']],
      ['縁', []],
      ['縁', []],
      ['<p>縁</p>', ['read']],
      ['<p>縁</p>', []],
    ]);
  });

  it('shows the flags of now to one who hears it late', async () => {
    const { server, says, queueOf } = await speaking();
    const sato = await queueOf('sato');
    const { id } = await says('一');
    await eg.signIn(server, 'sato').ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
    expect(await sato.take()).toMatchObject([{ flags: ['starred'] }, { op: 'add', flag: 'starred', messages: [id] }]);
  });

  it('carries the sender’s mark on the queue that was named, and on no other', async () => {
    const { tanaka, queueOf } = await speaking();
    const [named, other, sato] = [await queueOf('tanaka'), await queueOf('tanaka'), await queueOf('sato')];
    await tanaka.ok(sendMessage, { ...message('一'), queue_id: named.id, local_id: '17.01', read_by_sender: false });
    expect(await named.take()).toMatchObject([{ local_message_id: '17.01' }]);
    for (const queue of [other, sato]) expect((await queue.take())[0]).not.toHaveProperty('local_message_id');
  });

  it('carries an empty mark no further either', async () => {
    const { tanaka, queueOf } = await speaking();
    const [named, sato] = [await queueOf('tanaka'), await queueOf('sato')];
    const both = Promise.all([named.wait(), sato.wait()]);
    await settled();
    await tanaka.ok(sendMessage, { ...message('一'), queue_id: named.id, local_id: '', read_by_sender: false });
    const [[onNamed], [onSatos]] = await both;
    expect(onNamed).toMatchObject({ local_message_id: '' });
    expect(onSatos).not.toHaveProperty('local_message_id');
  });

  it('[R4.9] is not told any more when the message was deleted', async () => {
    const { server, says, queueOf } = await speaking();
    const sato = await queueOf('sato');
    const { id } = await says('消える');
    await says('残る');
    const { database } = fileOf(server);
    await database.write((tx) => messages.blank(tx, id, 1));
    expect((await sato.take()).map(inShort)).toEqual(['message 残る']);
  });
});

describe('a queue hears', () => {
  it('only the types that it asked for', async () => {
    const { server, says, queueOf } = await speaking();
    const sato = await queueOf('sato', { event_types: ['message'] });
    const flags = await queueOf('sato', { event_types: ['update_message_flags'] });
    const { id } = await says('一');
    await eg.signIn(server, 'sato').ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
    expect((await sato.take()).map(inShort)).toEqual(['message 一']);
    expect((await flags.take()).map(inShort)).toEqual([`add read ${id}`]);
  });

  it.each<[string, ParametersIn<typeof registerQueue>['narrow'], string[]]>([
    ['a stream', [['stream', eg.personnel]], ['message 人事', 'subscription peer_add']],
    ['a topic', [['topic', 'T']], ['message 総務', 'message 人事', 'subscription peer_add']],
    ['another topic', [['topic', 'x']], ['subscription peer_add']],
    ['a sender', [['sender', 'tanaka@example.com']], ['message 総務', 'message 人事', 'subscription peer_add']],
    ['another sender', [['sender', 'ito@example.com']], ['subscription peer_add']],
  ])('of messages only those of its narrow, by %s, and all other events', async (_, narrow, heard) => {
    const { server, says, queueOf } = await speaking();
    const sato = await queueOf('sato', { narrow });
    await says('総務');
    await says('人事', eg.personnel);
    await joins(server, 'ito', eg.general);
    expect((await sato.take()).map(inShort)).toEqual(heard);
  });

  it('of flags only its own member’s', async () => {
    const { server, says, queueOf } = await speaking();
    const { id } = await says('一');
    const [sato, tanaka] = [await queueOf('sato'), await queueOf('tanaka')];
    await eg.signIn(server, 'sato').ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
    expect((await sato.take()).map(inShort)).toEqual([`add read ${id}`]);
    expect(await tanaka.take()).toEqual([]);
  });
});

describe('a queue of all public streams', () => {
  it('hears what was not sent to its member, too, and no flags of it', async () => {
    const server = await company();
    const suzuki = await queueOf(eg.signIn(server, outside.member), { all_public_streams: true });
    const { id } = await eg.signIn(server, inside.member).ok(sendMessage, message('誰にでも', square));
    expect(await suzuki.take()).toMatchObject([{ type: 'message', message: { id }, flags: [] }]);
  });
});

describe('[R6.1] one who is outside of a stream', () => {
  it('hears nothing of it', async () => {
    const { server, says, queueOf } = await speaking();
    const [suzuki, takahashi, ito] = [await queueOf('suzuki'), await queueOf('takahashi'), await queueOf('ito')];
    await says('人事', eg.personnel);
    await joins(server, 'ito', eg.personnel);
    await leaves(server, 'ito', eg.personnel);
    for (const queue of [suzuki, takahashi]) expect(await queue.take()).toEqual([]);
    expect((await ito.take()).map(inShort)).not.toContain('message 人事');
  });

  it('and joins hears that they did, the others that they came, and from then on all', async () => {
    const { server, says, queueOf } = await speaking();
    const [sato, ito] = [await queueOf('sato'), await queueOf('ito')];
    await says('前', eg.personnel);
    await joins(server, 'ito', eg.personnel);
    await says('後', eg.personnel);
    const told = await ito.take();
    expect(told.map(inShort)).toEqual(['stream create', 'subscription add', 'message 後']);
    expect(told[1]).toMatchObject({
      subscriptions: [{ name: eg.personnel, subscribers: ['tanaka', 'sato', 'ito'].map(server.user) }],
    });
    expect((await sato.take()).slice(1)).toMatchObject([
      { op: 'peer_add', stream_ids: [server.stream(eg.personnel)], user_ids: [server.user('ito')] },
      { type: 'message' },
    ]);
  });

  it('and joins does not hear what was said before, though the history is shared', async () => {
    const { server, says, queueOf } = await speaking();
    const ito = await queueOf('ito');
    await says('前');
    await joins(server, 'ito', eg.general);
    expect((await ito.take()).map(inShort)).toEqual(['stream create', 'subscription add']);
  });

  it('and leaves hears nothing more, also of what was said before and not yet heard', async () => {
    const { server, says, queueOf } = await speaking();
    const sato = await queueOf('sato');
    await says('まだ');
    await leaves(server, 'sato', eg.general);
    await says('もう');
    await joins(server, 'ito', eg.general);
    expect((await sato.take()).map(inShort)).toEqual(['add read 1', 'subscription remove', 'stream delete']);
  });

  it('and leaves is told of to those who stay', async () => {
    const { server, queueOf } = await speaking();
    const tanaka = await queueOf('tanaka');
    await leaves(server, 'sato', eg.personnel);
    expect(await tanaka.take()).toMatchObject([
      { op: 'peer_remove', stream_ids: [server.stream(eg.personnel)], user_ids: [server.user('sato')] },
    ]);
  });

  it('and comes back hears again, but for what was said in between', async () => {
    const { server, says, queueOf } = await speaking();
    const sato = await queueOf('sato');
    await leaves(server, 'sato', eg.personnel);
    await says('留守', eg.personnel);
    await joins(server, 'sato', eg.personnel);
    await says('再び', eg.personnel);
    const left = ['subscription remove', 'stream delete'];
    const back = ['stream create', 'subscription add', 'message 再び'];
    expect((await sato.take()).map(inShort)).toEqual([...left, ...back]);
  });
});
