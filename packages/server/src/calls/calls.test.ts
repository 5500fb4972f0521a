import { getMessages, unsubscribe } from '@engawa/protocol';
import { callLimits, callPaths } from '@engawa/protocol/calls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callersIn, createStream, memberCalling, names, quiet, second } from '../testing/calls.ts';
import { fromOwnPage, runProduct, runProductForFile } from '../testing/product.ts';

const product = await runProductForFile({ RATE_LIMIT: 'none' });
const setup = () => callersIn(product);
const host = 'localhost';

/** 田中 and 佐藤 in a separate call. */
async function pair() {
  const members = await setup();
  const { id } = await members.tanaka.start([members.satoId]);
  const { participant: caller } = await members.tanaka.join(id);
  const { participant: callee } = await members.sato.join(id);
  return { ...members, id, caller, callee };
}

/** 田中 and 佐藤 in the call of a stream. */
async function pairInStream() {
  const { tanaka, sato } = await setup();
  const { id: streamId, name } = await createStream(product, ['tanaka', 'sato']);
  const { id } = await tanaka.start(streamId);
  const { participant } = await tanaka.join(id);
  const { participant: other } = await sato.join(id);
  const unsubscribeSato = () => product.call('sato', unsubscribe, { subscriptions: [name] });
  return { tanaka, sato, id, participant, other, unsubscribeSato };
}

describe('start of a call', () => {
  it('[R2.10] A call announces itself by a message of the caller, and its details name the message', async () => {
    const { tanaka, tanakaId, satoId } = await setup();
    const call = await tanaka.start([satoId], { kind: 'video' });
    expect(call).toMatchObject({
      conversation: [tanakaId, satoId].toSorted((a, b) => a - b),
      state: 'ongoing',
      participants: [],
    });
    const { messages } = await product.call('sato', getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(messages).toMatchObject([
      {
        id: call.message_id,
        sender_id: tanakaId,
        call: { id: call.id, kind: 'video' },
        content: expect.stringContaining('ビデオ通話'),
      },
    ]);
    expect((await tanaka.details(call.id)).call).toEqual(call);
  });

  it('[R2.10] A conversation has at most one call, and the refusal of a second one names the first', async () => {
    const { tanaka, sato, tanakaId, satoId } = await setup();
    const call = await tanaka.start([satoId]);
    const refusal = await sato.refused('POST', callPaths.calls, { conversation: [tanakaId, satoId], kind: 'audio' });
    expect(refusal).toMatchObject({ status: 409, code: 'CALL_EXISTS', call_id: call.id });
  });

  it('[R2.10] Of two members who start at the same moment, one starts the call and the other gets its id', async () => {
    const { tanaka, sato, tanakaId, satoId } = await setup();
    const body = { conversation: [tanakaId, satoId], kind: 'audio' };
    const starts = await Promise.all([tanaka, sato].map((each) => each.ok('POST', callPaths.calls, body).catch(String)));
    expect(starts.filter((each) => typeof each === 'string')).toEqual([expect.stringContaining('CALL_EXISTS')]);
  });

  it('[R6.1] A stream that the member does not see and unknown users are refused alike, with 404', async () => {
    const { kato } = await setup();
    const closed = (await createStream(product, ['tanaka', 'sato'])).id;
    const start = (conversation: number | number[]) => kato.refused('POST', callPaths.calls, { conversation, kind: 'audio' });
    const missing = await start(999_999);
    expect(missing).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await start(closed)).toEqual(missing);
    expect(await start([999_999])).toEqual(missing);
  });

  it('[R2.10] A member cannot call only themselves', async () => {
    const { tanaka, tanakaId } = await setup();
    expect(await tanaka.refused('POST', callPaths.calls, { conversation: [tanakaId], kind: 'audio' })).toMatchObject({
      status: 400,
    });
  });

  it('[R2.10] A member who starts calls again and again is slowed', async () => {
    const { suzuki, satoId } = await setup();
    for (let count = 0; count < callLimits.starts.calls; count += 1) {
      const call = await suzuki.start([satoId], { ring: false });
      const { participant } = await suzuki.join(call.id);
      await suzuki.leave(call.id, participant);
    }
    const refusal = await suzuki.refused('POST', callPaths.calls, { conversation: [satoId], kind: 'audio' });
    expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMIT_HIT', 'retry-after': expect.any(Number) });
  });
});

describe('joining a call', () => {
  it('[R2.10] A newcomer learns who is there, makes the offers, and the others learn of them', async () => {
    const { tanaka, sato, tanakaId, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const first = await tanaka.join(id);
    expect(first).toMatchObject({ others: [], ice: [], engine: 'mesh', lease: callLimits.lease });
    const loud = { ...quiet, muted: false };
    const other = await sato.join(id, { state: loud });
    expect(other.others).toEqual([{ participant: first.participant, user_id: tanakaId, seq: first.seq, state: quiet }]);
    expect(other.seq).toBeGreaterThan(first.seq);
    const joined = { kind: 'joined', from: other.participant, data: { user_id: satoId, seq: other.seq, state: loud } };
    expect(await tanaka.poll(id, first.participant)).toEqual({ epoch: first.epoch, signals: [{ n: 1, ...joined }] });
    expect(other.call.participants).toEqual([tanakaId, satoId]);
  });

  it('[R6.1] A call of a conversation that the member does not see is missing to them in every request', async () => {
    const { tanaka, kato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    const missing = { status: 404, code: 'NOT_FOUND' };
    const unknown = await kato.refused('GET', callPaths.call('x'.repeat(16)));
    expect(unknown).toMatchObject(missing);
    expect(await kato.refused('GET', callPaths.call(id))).toEqual(unknown);
    expect(await kato.refused('POST', callPaths.join(id), { state: quiet })).toEqual(unknown);
    expect(await kato.refused('POST', callPaths.decline(id))).toEqual(unknown);
    expect(await kato.refused('GET', `${callPaths.signals(id)}?participant=${participant}&after=0`)).toEqual(unknown);
    const signals = [{ kind: 'state', data: quiet }];
    expect(await kato.refused('POST', callPaths.signals(id), { participant, signals })).toEqual(unknown);
    expect(await kato.refused('POST', callPaths.ring(id), { participant })).toEqual(unknown);
    expect(await kato.list()).toEqual([]);
    await kato.leave(id, participant);
    expect((await tanaka.details(id)).call.participants).toHaveLength(1);
  });

  it('[R2.10] A ninth participant is refused because the call is full', async () => {
    const others = ['yoshida', 'goto', 'murakami', 'yamamoto', 'kobayashi'];
    const { tanaka } = await setup();
    const id = (await tanaka.start((await createStream(product, [...names, ...others])).id, { ring: false })).id;
    for (const name of [...names, ...others].slice(0, 8)) await memberCalling(product, name).join(id);
    const ninth = memberCalling(product, others[4] ?? '');
    expect(await ninth.refused('POST', callPaths.join(id), { state: quiet })).toMatchObject({ status: 409, code: 'CALL_FULL' });
  });

  it('[R2.10] A member is in one call on one device, and a second device moves the call to itself', async () => {
    const { tanaka, sato, satoId, suzukiId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const first = await tanaka.join(id);
    const { participant: listener } = await sato.join(id);
    expect(await tanaka.refused('POST', callPaths.join(id), { state: quiet })).toMatchObject({
      status: 409,
      code: 'IN_ANOTHER_CALL',
      call_id: id,
    });
    const second = await tanaka.join(id, { move: true });
    expect(second.participant).not.toBe(first.participant);
    const moved = { kind: 'left', from: first.participant, data: { reason: 'moved' } };
    expect((await tanaka.poll(id, first.participant)).signals.at(-1)).toMatchObject(moved);
    expect((await sato.poll(id, listener)).signals).toMatchObject([{ kind: 'joined', from: second.participant }, moved]);
    const elsewhere = await tanaka.start([suzukiId]);
    await tanaka.join(elsewhere.id, { move: true });
    expect((await sato.details(id)).call.participants).toEqual([satoId]);
  });

  it('[R2.10] A participant that joins again keeps its id and inbox, and the others notice nothing', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const first = await tanaka.join(id);
    const other = await sato.join(id);
    const again = await tanaka.join(id, { participant: first.participant });
    expect([again.participant, again.epoch, again.seq]).toEqual([first.participant, first.epoch, first.seq]);
    expect(again.others).toMatchObject([{ participant: other.participant }]);
    await tanaka.send(id, first.participant, [{ kind: 'state', data: { ...quiet, camera: true } }]);
    expect((await sato.poll(id, other.participant)).signals).toMatchObject([{ n: 1, kind: 'state' }]);
  });

  it('[R6.1] Nobody can join with the participant of another member', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    const other = await sato.join(id, { participant });
    expect(other.participant).not.toBe(participant);
    expect(other.participant.startsWith(`${satoId}-`)).toBe(true);
  });

  it('[R2.10] A newcomer stays in the call when the only other participant is removed because its inbox is full', async () => {
    const { tanaka, sato, suzuki, suzukiId } = await setup();
    const { id } = await tanaka.start((await createStream(product, names)).id, { ring: false });
    await tanaka.join(id);
    const { participant } = await sato.join(id);
    // With the signals of the joining and the leaving, the inbox is full, and within its bounds.
    for (let left = callLimits.inbox.signals - 2; left > 0; left -= callLimits.request.signals) {
      const states = Array.from({ length: Math.min(left, callLimits.request.signals) }, () => ({ kind: 'state', data: quiet }));
      await sato.send(id, participant, states);
    }
    await sato.leave(id, participant);
    await suzuki.join(id);
    expect((await suzuki.details(id)).call).toMatchObject({ state: 'ongoing', participants: [suzukiId] });
  });

  it('[R2.10] A participant’s id that would have joined in the future is replaced, so that later participants still rise', async () => {
    const { tanaka, sato, tanakaId, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const future = `${tanakaId}-zzzzzzzzAAAA`;
    const first = await tanaka.join(id, { participant: future });
    expect(first.participant).not.toBe(future);
    expect((await sato.join(id)).seq).toBeGreaterThan(first.seq);
  });
});

describe('signals', () => {
  it('[R2.10] An offer, an answer and candidates reach the addressed participant unchanged and in order', async () => {
    const { tanaka, sato, id, caller, callee } = await pair();
    const offer = { kind: 'offer', data: { sdp: 'v=0\r\n', round: 1 } };
    const candidate = { kind: 'candidate', data: { candidate: '', sdpMid: '0', sdpMLineIndex: 0, usernameFragment: null } };
    await sato.send(id, callee, [
      { ...offer, to: caller },
      { ...candidate, to: caller },
    ]);
    expect((await tanaka.poll(id, caller, 1)).signals).toEqual([
      { n: 2, from: callee, ...offer },
      { n: 3, from: callee, ...candidate },
    ]);
    const answer = { kind: 'answer', data: { sdp: 'v=0\r\n', round: 1 } };
    await tanaka.send(id, caller, [{ ...answer, to: callee }]);
    expect((await sato.poll(id, callee)).signals).toEqual([{ n: 1, from: caller, ...answer }]);
  });

  it('[R2.10] A poll waits for a signal, and confirms the signals before it', async () => {
    const { tanaka, sato, id, caller, callee } = await pair();
    const waiting = tanaka.poll(id, caller, 1);
    await sato.send(id, callee, [{ kind: 'state', data: { ...quiet, screen: true } }]);
    expect((await waiting).signals).toMatchObject([{ n: 2, kind: 'state' }]);
    // The first signal is confirmed and gone.
    expect((await tanaka.poll(id, caller, 0)).signals).toMatchObject([{ n: 2 }]);
  });

  it('[R2.10] A poll without signals is answered after 20 seconds, and by a second poll of the participant', async () => {
    const { tanaka, id, caller } = await pair();
    const one = tanaka.poll(id, caller, 1);
    const other = tanaka.poll(id, caller, 1);
    const first = await Promise.race([one.then(() => 'one'), other.then(() => 'other')]);
    expect(['one', 'other']).toContain(first);
    product.pass((callLimits.poll - 1) * second);
    product.pass(2 * second);
    expect((await (first === 'one' ? other : one)).signals).toEqual([]);
  });

  it('[R2.10] A participant that signals too often is refused without any of the request being passed on', async () => {
    const { tanaka, sato, id, caller, callee } = await pair();
    const state = [{ kind: 'state', data: quiet }];
    for (let count = 0; count < callLimits.signalRequests.calls; count += 1) await sato.send(id, callee, state);
    const refusal = await sato.refused('POST', callPaths.signals(id), { participant: callee, signals: state });
    expect(refusal).toMatchObject({ status: 429, 'retry-after': expect.any(Number) });
    expect((await tanaka.poll(id, caller)).signals).toHaveLength(callLimits.signalRequests.calls + 1);
  });

  it('[R2.10] A participant whose inbox is full is removed and joins again with a new inbox', async () => {
    const { tanaka, sato, id, caller, callee } = await pair();
    const sdp = 'x'.repeat(callLimits.sdp);
    for (let count = 0; count < callLimits.inbox.characters / callLimits.sdp; count += 1) {
      await sato.send(id, callee, [{ kind: 'offer', to: caller, data: { sdp } }]);
    }
    expect((await sato.poll(id, callee)).signals).toMatchObject([{ kind: 'left', from: caller, data: { reason: 'lease' } }]);
    const refusal = await tanaka.refused('GET', `${callPaths.signals(id)}?participant=${caller}&after=0`);
    expect(refusal).toMatchObject({ status: 410, code: 'NOT_IN_CALL' });
    expect((await tanaka.join(id, { participant: caller })).participant).toBe(caller);
  });

  it.each([
    ['an unknown kind', { kind: 'bye', data: {} }],
    ['a description that is too long', { kind: 'offer', data: { sdp: 'x'.repeat(callLimits.sdp + 1) } }],
    ['no addressee', { kind: 'answer', to: undefined, data: { sdp: '' } }],
    ['an incomplete state', { kind: 'state', data: { muted: true } }],
  ])('[R2.10] A signal with %s is refused', async (_, signal) => {
    const { sato, id, caller, callee } = await pair();
    const signals = [{ to: caller, ...signal }];
    expect(await sato.refused('POST', callPaths.signals(id), { participant: callee, signals })).toMatchObject({ status: 400 });
  });

  it('[R2.10] The log of the server contains no candidate, description or address', async () => {
    const noisy = await runProduct({ LOG_LEVEL: 'debug', RATE_LIMIT: 'none' });
    onTestFinished(() => noisy.close());
    const { tanaka, sato, satoId } = await callersIn(noisy);
    const { id } = await tanaka.start([satoId]);
    const { participant: to } = await tanaka.join(id);
    const { participant } = await sato.join(id);
    const candidate = 'candidate:1 1 udp 2122260223 192.0.2.77 50000 typ host';
    await sato.send(id, participant, [
      { kind: 'offer', to, data: { sdp: 'v=0 secret-sdp' } },
      { kind: 'candidate', to, data: { candidate } },
    ]);
    await tanaka.poll(id, to);
    const logged = JSON.stringify(noisy.log);
    expect(logged).toContain('signals');
    for (const secret of ['192.0.2.77', 'secret-sdp', id, to]) expect(logged).not.toContain(secret);
  });
});

describe('end of a call', () => {
  it('[R2.10] A call ends at once when nobody is in it, and its details stay', async () => {
    const { tanaka, sato, tanakaId, satoId } = await setup();
    const { id } = await tanaka.start([satoId], { ring: false });
    const { participant } = await tanaka.join(id);
    const { participant: other } = await sato.join(id);
    await tanaka.leave(id, participant);
    expect((await sato.poll(id, other)).signals).toMatchObject([{ kind: 'left', data: { reason: 'left' } }]);
    await sato.leave(id, other);
    const { call, people } = await tanaka.details(id);
    expect(call).toMatchObject({ state: 'ended', reason: 'left', participants: [], ended: expect.any(Number) });
    const stay = { answer: 'joined', first_joined: expect.any(Number), last_left: expect.any(Number) };
    expect(people.toSorted((a, b) => a.user_id - b.user_id)).toEqual(
      [tanakaId, satoId].toSorted((a, b) => a - b).map((user_id) => ({ user_id, ...stay })),
    );
    expect(await tanaka.refused('POST', callPaths.join(id), { state: quiet })).toMatchObject({ status: 410, code: 'CALL_ENDED' });
    expect(await tanaka.list()).toEqual([]);
  });

  it('[R2.10] A call with one participant ends after 60 seconds, and its participant learns that it has ended', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId], { ring: false });
    const { participant } = await tanaka.join(id);
    const { participant: other } = await sato.join(id);
    await sato.leave(id, other);
    for (let passed = 0; passed < callLimits.alone; passed += 20) {
      expect((await tanaka.details(id)).call.state).toBe('ongoing');
      await tanaka.join(id, { participant });
      product.pass(20 * second);
    }
    expect((await tanaka.details(id)).call).toMatchObject({ state: 'ended', reason: 'alone' });
    const last = { kind: 'left', from: participant, data: { reason: 'ended' } };
    expect((await tanaka.poll(id, participant)).signals.at(-1)).toMatchObject(last);
  });

  it('[R2.10] A call that nobody joins ends after 30 seconds', async () => {
    const { tanaka, satoId } = await setup();
    const { id } = await tanaka.start([satoId], { ring: false });
    product.pass((callLimits.firstJoin - 1) * second);
    expect((await tanaka.details(id)).call.state).toBe('ongoing');
    product.pass(2 * second);
    expect((await tanaka.details(id)).call).toMatchObject({ state: 'ended', reason: 'left' });
  });

  it('[R2.10] A participant that does not poll for 30 seconds is removed, and may come back with its id', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant, seq, epoch } = await tanaka.join(id);
    product.pass(20 * second);
    const { participant: other } = await sato.join(id);
    product.pass((callLimits.lease - 19) * second);
    expect((await sato.poll(id, other)).signals).toMatchObject([{ kind: 'left', from: participant, data: { reason: 'lease' } }]);
    const again = await tanaka.join(id, { participant });
    expect([again.participant, again.seq]).toEqual([participant, seq]);
    expect(again.epoch).not.toBe(epoch);
    expect((await sato.poll(id, other, 1)).signals).toMatchObject([{ kind: 'joined', from: participant }]);
  });

  it('[R2.10] No call lasts longer than 12 hours', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    await tanaka.join(id);
    await sato.join(id);
    // The clock runs the timers once, so the leases have not ended before.
    product.pass(callLimits.longest * second);
    expect((await tanaka.details(id)).call).toMatchObject({ state: 'ended', reason: 'longest' });
  });

  it('[R6.1] A member who is removed from the stream is removed from its call with their next request', async () => {
    const { tanaka, sato, id, participant, other, unsubscribeSato } = await pairInStream();
    await unsubscribeSato();
    expect(await sato.refused('GET', `${callPaths.signals(id)}?participant=${other}&after=0`)).toMatchObject({ status: 404 });
    const left = { kind: 'left', from: other, data: { reason: 'removed' } };
    expect((await tanaka.poll(id, participant, 1)).signals).toMatchObject([left]);
  });

  it('[R6.1] A member who is removed from the stream and does not poll any more is removed when their lease ends', async () => {
    const { tanaka, id, participant, other, unsubscribeSato } = await pairInStream();
    await unsubscribeSato();
    product.pass(20 * second);
    await tanaka.join(id, { participant });
    product.pass((callLimits.lease - 19) * second);
    const left = { kind: 'left', from: other, data: { reason: 'removed' } };
    expect((await tanaka.poll(id, participant, 1)).signals).toMatchObject([left]);
  });

  it('[R6.1] The others learn of a removal from the stream also after the lease of the removed member has ended', async () => {
    const { tanaka, id, participant, other, unsubscribeSato } = await pairInStream();
    const pass = async () => {
      product.pass(20 * second);
      await tanaka.join(id, { participant });
    };
    for (let times = 0; times < 2; times += 1) await pass();
    await unsubscribeSato();
    await pass();
    const left = (reason: string) => ({ kind: 'left', from: other, data: { reason } });
    expect((await tanaka.poll(id, participant, 1)).signals).toMatchObject([left('lease'), left('removed')]);
  });

  it('[R2.10] The others learn that a member whose lease ended is back on another device', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    const { participant: other } = await sato.join(id);
    for (let times = 0; times < 2; times += 1) {
      product.pass(20 * second);
      await tanaka.join(id, { participant });
    }
    const { participant: later } = await sato.join(id);
    const left = (reason: string) => ({ kind: 'left', from: other, data: { reason } });
    const joined = { kind: 'joined', from: later };
    expect((await tanaka.poll(id, participant, 1)).signals).toMatchObject([left('lease'), left('moved'), joined]);
  });

  it('[R2.10] `navigator.sendBeacon` can leave a call: a request of the own page without a body and without JSON', async () => {
    const { tanaka, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    const url = `${callPaths.leave(id)}?participant=${participant}`;
    const cookie = await product.cookieOf('tanaka');
    const beacon = (headers: Readonly<Record<string, string>>) =>
      product.app.inject({ method: 'POST', url, headers: { host, cookie, ...headers } });
    expect((await beacon({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await tanaka.details(id)).call.state).toBe('ongoing');
    expect((await beacon(fromOwnPage)).statusCode).toBe(200);
    expect((await tanaka.details(id)).call.state).toBe('ended');
  });
});
