import type { CallState } from '@engawa/protocol/calls';
import { fakeClock } from '@engawa/client/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callServer } from '../../../test/callServer.ts';
import { chatServer } from '../../../test/chatServer.ts';
import { newTab, stopAll } from '../../../test/example.ts';
import { exampleCall, exampleCallState as call } from '../../../test/exampleCall.ts';
import { ai, design, ken, mai, sessionOf } from '../../../test/organisation.ts';
import { initialState, type State } from '../state.ts';
import { directOf } from '../streams/conversation.ts';
import { callBecame, callsListed, ringEnded } from './ongoing.ts';
import { selectCallById, selectMissedCalls, selectRinging } from './selectors.ts';
import { selectCall, selectCallElsewhere, selectOwnCall } from './state.ts';

const withKen = directOf([ai.user_id, ken.user_id]);
const start: State = initialState(sessionOf(ai, []));

const over: Partial<CallState> = { state: 'ended', ended: 1_700_000_040, participants: [], ringing: [], ring_ends: null };
const after = (...states: readonly CallState[]) => states.reduce<State>(callBecame, start);
const missed = (state: State) => selectMissedCalls(state).map(({ id }) => id);

describe('[R2.10] Ongoing calls', () => {
  it('A call rings for the member whom it names, and is found by its conversation and its id', () => {
    const state = after(call());
    expect(selectRinging(state)).toEqual(call());
    expect(selectCall(state, withKen)).toEqual(call());
    expect(selectCallById(state, call().id)).toEqual(call());
    expect(selectRinging(after(call({ ringing: [mai.user_id] })))).toBeUndefined();
  });

  it('A tab that is in a call does not ring', () => {
    const ownCall = exampleCall();
    const state = { ...after(call()), ownCall };
    expect(selectRinging(state)).toBeUndefined();
    expect(selectOwnCall(state)).toBe(ownCall);
    expect(selectRinging({ ...state, ownCall: { ...ownCall, phase: 'ended' } })).toBeDefined();
    expect(selectCallElsewhere(state)).toBeUndefined();
  });

  it.each(['joined', 'declined'] as const)(
    'A call that another device of the member %s stops ringing and is not missed',
    (answer) => {
      const state = after(call(), call({ ringing: [], answers: [{ user_id: ai.user_id, answer }] }));
      expect(selectRinging(state)).toBeUndefined();
      expect(missed(state)).toEqual([]);
    },
  );

  it('A call that stops ringing without an answer is missed, also after the caller has gone', () => {
    expect(missed(after(call(), call({ ringing: [] })))).toEqual([call().id]);
    const gone = after(call(), call({ ...over, reason: 'left' }));
    expect(missed(gone)).toEqual([call().id]);
    expect(selectCall(gone, withKen)).toBeUndefined();
  });

  it('A missed call that the member joins later, or that rings again, is no longer missed', () => {
    const silent = call({ ringing: [] });
    expect(missed(after(call(), silent, call()))).toEqual([]);
    expect(missed(after(call(), silent, call({ ringing: [], answers: [{ user_id: ai.user_id, answer: 'joined' }] })))).toEqual(
      [],
    );
  });

  it('A call that never rang for the member is not missed', () => {
    expect(missed(after(call({ ringing: [] }), call(over)))).toEqual([]);
  });

  it('[R7.8] A member who is busy or has muted the stream does not ring, even if the server does not know that', () => {
    const busy = new Map([[ai.user_id, { text: '', busy: true, until: undefined }]]);
    const quiet = callBecame({ ...start, statuses: busy }, call());
    expect(selectRinging(quiet)).toBeUndefined();
    expect(missed(callBecame(quiet, call({ ringing: [] })))).toEqual([]);
    const others = call({ ringing: [ai.user_id, mai.user_id] });
    expect(selectCall(callBecame({ ...start, statuses: busy }, others), withKen)?.ringing).toEqual([mai.user_id]);
    const inMuted = call({ conversation: design.stream_id });
    const muted = new Map([[design.stream_id, { ...design, is_muted: true }]]);
    expect(selectRinging(callBecame({ ...start, subscriptions: muted }, inMuted))).toBeUndefined();
    expect(selectRinging(callBecame({ ...start, subscriptions: new Map([[design.stream_id, design]]) }, inMuted))).toBeDefined();
  });

  it('The late end of an older call does not remove the newer one of the conversation', () => {
    const newer = call({ id: 'call-of-ken-0002' });
    expect(selectCall(after(call(), newer, call(over)), withKen)).toEqual(newer);
  });

  it('A ring ends at its time, even if no event says so', () => {
    const state = ringEnded(after(call()), call().id);
    expect(selectRinging(state)).toBeUndefined();
    expect(missed(state)).toEqual([call().id]);
    expect(ringEnded(state, 'unknown')).toBe(state);
  });

  it('The list replaces the calls, except those that events have changed since it was asked for', () => {
    const old = call({ id: 'call-of-mai-0001', conversation: design.stream_id });
    const since = call({
      participants: [ken.user_id, ai.user_id],
      ringing: [],
      answers: [{ user_id: ai.user_id, answer: 'joined' }],
    });
    const state = callsListed(after(old), { ...callServer().list, calls: [call()] }, [since]);
    expect([...state.calls.values()]).toEqual([since]);
    expect(missed(state)).toEqual([]);
  });
});

it('[R2.10] A ring ends at its time by the clock of the server, if the clock of the browser is an hour behind', async () => {
  const chat = await chatServer();
  const serverTime = chat.clock.now() / 1000;
  const { fetch } = callServer({ calls: [call({ ring_ends: serverTime + 29 })] });
  const clock = fakeClock((serverTime - 3600) * 1000);
  const { model } = newTab({
    fetch: (input, init) => (String(input).includes('/api/calls') ? fetch : chat.fetch)(input, init),
    clock,
  });
  onTestFinished(stopAll);
  model.start();
  await vi.waitFor(() => expect(model.state().clockAhead).toBe(3600));
  await vi.waitFor(() => expect(selectRinging(model.state())).toBeDefined());
  await clock.pass(29_000);
  expect(selectRinging(model.state())).toBeUndefined();
});
