import { getEvents, getMessage, getMessages, registerQueue, sendMessage, unsubscribe } from '@engawa/protocol';
import { callLimits, callPaths, callState } from '@engawa/protocol/calls';
import { livePath, liveAnswer } from '@engawa/protocol/live';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createStream, idOf, memberCalling, quiet, second } from '../testing/calls.ts';
import { runProductForFile } from '../testing/product.ts';
import { startZulip } from '../testing/zulip/zulip.ts';

const zulip = await startZulip({ callsPerMinute: 100_000 });
const product = await runProductForFile({ RATE_LIMIT: 'none', ZULIP_SITE: zulip.url });
afterAll(() => zulip.close());

const [tanaka, sato, suzuki] = [
  memberCalling(product, 'tanaka'),
  memberCalling(product, 'sato'),
  memberCalling(product, 'suzuki'),
];
const [tanakaId, satoId] = await Promise.all(['tanaka', 'sato'].map((name) => idOf(product, name)));
const direct = [tanakaId ?? 0, satoId ?? 0].toSorted((one, other) => one - other);

/** Calls of earlier tests end, and their limits begin again. */
beforeEach(() => {
  const { lease, alone, ringsPerPerson } = callLimits;
  for (const rest of [lease, alone, ringsPerPerson.seconds]) product.pass((rest + 1) * second);
});

/** Opens the live channel of a member. @returns a function that takes the states of calls since the last time. */
async function statesFor(name: string) {
  const poll = async (after?: string) => {
    const headers = { host: 'localhost', authorization: await product.basicOf(name) };
    const answer = await product.app.inject({ url: livePath, query: after === undefined ? {} : { after }, headers });
    return liveAnswer.parse(answer.json());
  };
  let { after } = await poll();
  return async () => {
    // A poll without events would wait.
    if ((await poll()).after === after) return [];
    const answer = await poll(after);
    ({ after } = answer);
    return answer.events.map((event) => callState.parse(event.type === 'call' && event.call));
  };
}

describe('a call in front of Zulip', () => {
  it('[R7.8] A call rings the other member through the live channel, and their answer stops the ringing', async () => {
    const [own, states] = [await statesFor('tanaka'), await statesFor('sato')];
    const { id } = await tanaka.start([satoId ?? 0]);
    expect(await states()).toMatchObject([{ id, conversation: direct, state: 'ongoing', ringing: [satoId] }]);
    expect(await own()).toMatchObject([{ id, ringing: [satoId] }]);
    await tanaka.join(id);
    await sato.join(id);
    expect((await states()).at(-1)).toMatchObject({ id, participants: [tanakaId, satoId], ringing: [] });
    expect(await sato.list()).toMatchObject([{ id }]);
    expect(await suzuki.list()).toEqual([]);
  });

  it('[R7.8] A call that nobody answers is missed, which its card shows', async () => {
    const { id } = await tanaka.start([satoId ?? 0]);
    const { participant } = await tanaka.join(id);
    const states = await statesFor('sato');
    product.pass((callLimits.ring - 1) * second);
    await tanaka.join(id, { participant });
    product.pass(2 * second);
    expect(await states()).toMatchObject([{ state: 'ongoing', ringing: [] }]);
    await tanaka.leave(id, participant);
    const { call, people } = await sato.details(id);
    expect(call).toMatchObject({ state: 'ended', reason: 'unanswered' });
    expect(people).toContainEqual({ user_id: satoId, answer: 'missed', first_joined: null, last_left: null });
  });

  it('[R7.8] The message of a call names the call in every answer, also after its end, and a text alone does not', async () => {
    const queue = await product.call('sato', registerQueue, { event_types: ['message'], apply_markdown: false });
    const { id, message_id } = await tanaka.start([satoId ?? 0], { kind: 'video' });
    const call = { id, kind: 'video' };
    const { events } = await product.call('sato', getEvents, { queue_id: queue.queue_id, last_event_id: queue.last_event_id });
    expect(events).toMatchObject([{ type: 'message', message: { id: message_id, call } }]);
    await tanaka.leave(id, (await tanaka.join(id)).participant);
    expect((await sato.details(id)).call.state).toBe('ended');
    const { message } = await product.call('sato', getMessage, { message_id: message_id ?? 0 });
    expect(message).toMatchObject({ sender_id: tanakaId, call, content: expect.stringContaining('ビデオ通話') });
    const text = { type: 'direct', to: JSON.stringify([satoId]), content: 'ビデオ通話を開始しました。' };
    const forged = (await product.call('tanaka', sendMessage, text)).id;
    const { messages } = await product.call('sato', getMessages, { anchor: 'newest', num_before: 2, num_after: 0 });
    expect(messages.map((each) => [each.id, each.call])).toEqual([
      [message_id, call],
      [forged, undefined],
    ]);
  });

  it('[R7.8] [R6.1] A call of a stream is missing to those who are not in the stream, and they get no state of it', async () => {
    const stream = await createStream(product, ['tanaka', 'sato']);
    const [states, others] = [await statesFor('sato'), await statesFor('suzuki')];
    const { id } = await tanaka.start(stream.id);
    const missing = { status: 404, code: 'NOT_FOUND' };
    expect(await suzuki.refused('GET', callPaths.call(id))).toMatchObject(missing);
    expect(await suzuki.refused('POST', callPaths.join(id), { state: quiet })).toMatchObject(missing);
    const start = { conversation: stream.id, kind: 'audio' };
    expect(await suzuki.refused('POST', callPaths.calls, start)).toMatchObject(missing);
    expect(await suzuki.refused('POST', callPaths.calls, { ...start, conversation: [999_999] })).toMatchObject(missing);
    expect(await states()).toMatchObject([{ id, conversation: stream.id, ringing: [satoId] }]);
    expect(await others()).toEqual([]);
  });

  it('[R7.8] [R6.1] A member who loses the stream during a call is removed from the call within a minute', async () => {
    const stream = await createStream(product, ['tanaka', 'sato']);
    const { id } = await tanaka.start(stream.id);
    const { participant } = await tanaka.join(id);
    const { participant: other } = await sato.join(id);
    await product.call('sato', unsubscribe, { subscriptions: [stream.name] });
    for (let seconds = 0; seconds < 40; seconds += 20) {
      product.pass(20 * second);
      await tanaka.join(id, { participant });
      await sato.join(id, { participant: other });
    }
    product.pass(20 * second);
    const poll = `${callPaths.signals(id)}?participant=${other}&after=0`;
    expect(await sato.refused('GET', poll)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const left = { kind: 'left', from: other, data: { reason: 'removed' } };
    expect((await tanaka.poll(id, participant, 1)).signals).toContainEqual({ n: expect.any(Number), ...left });
    const states = await statesFor('sato');
    await tanaka.leave(id, participant);
    expect(await states()).toEqual([]);
  });

  it('[R7.8] A call goes on while Zulip does not answer', async () => {
    const { id } = await tanaka.start([satoId ?? 0]);
    const { participant } = await tanaka.join(id);
    const { participant: other } = await sato.join(id);
    await Promise.all([tanaka.list(), sato.list()]);
    await zulip.fail({ badGateway: true });
    onTestFinished(() => zulip.fail());
    for (let round = 1; round <= 4; round += 1) {
      product.pass(20 * second);
      await tanaka.send(id, participant, [{ kind: 'offer', to: other, data: { sdp: 'v=0', round } }]);
      await sato.send(id, other, [{ kind: 'answer', to: participant, data: { sdp: 'v=0', round } }]);
      expect((await sato.poll(id, other, round - 1)).signals).toMatchObject([{ kind: 'offer', data: { round } }]);
      expect((await tanaka.poll(id, participant, round)).signals).toMatchObject([{ kind: 'answer', data: { round } }]);
    }
  });
});
