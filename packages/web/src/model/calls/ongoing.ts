/** The ongoing calls of the member's conversations, from the server's list and the events since. */
import type { Clock } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { callList, callPaths, callState, type CallList, type CallState } from '@engawa/protocol/calls';
import { withEntry } from '../collections.ts';
import type { ModelContext } from '../context.ts';
import { statusAt } from '../people/presence.ts';
import { askCall } from './signalling.ts';
import { conversationOfCall } from './selectors.ts';
import { type CallsState } from './state.ts';

/** The server keeps the events of calls for so long. After a longer absence the calls are asked for. */
const eventsKeptMs = 15_000;

export function callBecame<S extends CallsState>(state: S, received: CallState): S {
  const call = isQuiet(state, received) ? withoutOwnRing(received, state.memberId) : received;
  const conversation = conversationOfCall(call);
  const before = state.calls.get(conversation);
  const isOther = before !== undefined && before.id !== call.id;
  // The end of an older call arrives late.
  if (call.state === 'ended' && isOther) return withMissed(state, undefined, call);
  const calls = withEntry(state.calls, conversation, call.state === 'ended' ? undefined : call);
  return withMissed({ ...state, calls }, isOther ? undefined : before, call);
}

/** Whether the member is busy or has muted the conversation. The server need not know that, and may let such a member ring. */
function isQuiet({ memberId, statuses, subscriptions, now }: CallsState, { conversation }: CallState): boolean {
  const status = memberId === undefined ? undefined : statuses.get(memberId);
  const isMuted = typeof conversation === 'number' && subscriptions?.get(conversation)?.is_muted === true;
  return isMuted || (status !== undefined && statusAt(status, now)?.busy === true);
}

function withoutOwnRing(call: CallState, memberId: number | undefined): CallState {
  const ringing = call.ringing.filter((userId) => userId !== memberId);
  return { ...call, ringing, ring_ends: ringing.length > 0 ? call.ring_ends : null };
}

/** A call is missed if it rang for the member and they neither joined nor declined it, on any device. */
function withMissed<S extends CallsState>(state: S, before: CallState | undefined, call: CallState): S {
  const { memberId, missedCalls } = state;
  if (memberId === undefined) return state;
  const others = missedCalls.filter(({ id }) => id !== call.id);
  const answer = call.answers.find(({ user_id }) => user_id === memberId)?.answer;
  const isSettled = answer === 'joined' || answer === 'declined' || call.ringing.includes(memberId);
  if (isSettled) return others.length === missedCalls.length ? state : { ...state, missedCalls: others };
  return before?.ringing.includes(memberId) ? { ...state, missedCalls: [...others, call] } : state;
}

/** Ends the ringing when the server said it would, in case that the event is lost. */
export function ringEnded<S extends CallsState>(state: S, callId: string): S {
  const call = state.calls.values().find(({ id }) => id === callId);
  return call && call.ringing.length > 0 ? callBecame(state, { ...call, ringing: [], ring_ends: null }) : state;
}

/** The server's list replaces the calls, except those that events changed after the list was asked for. */
export function callsListed<S extends CallsState>(
  state: S,
  list: Pick<CallList, 'calls' | 'engines'>,
  since: readonly CallState[],
): S {
  const ids = new Set(list.calls.map(({ id }) => id));
  const calls = new Map([...state.calls].filter(([, { id }]) => ids.has(id)));
  return [...list.calls, ...since].reduce<S>(callBecame, { ...state, calls, callEngines: list.engines });
}

/** Asks for the calls now and whenever events may be lost: after each registration and after an absence. */
export function followCalls(context: ModelContext<CallsState>) {
  const { store, environment, clock, attempt, stop } = context;
  const rings = createRingTimers({
    clock,
    remaining: (seconds) => (seconds - store.state().clockAhead) * 1000 - clock.now(),
    onEnd: (callId) => store.update((state) => ringEnded(state, callId)),
  });
  /** The calls that events have changed since the list was asked for; undefined while no list is awaited. */
  let since: CallState[] | undefined;
  let currentAt = clock.now();

  const load = async () => {
    const mine: CallState[] = [];
    since = mine;
    currentAt = clock.now();
    const loaded = await attempt(() => askCall(context, 'GET', callPaths.calls, callList));
    if (since !== mine) return;
    since = undefined;
    // A failed list is asked for again after the next registration.
    if (!('answer' in loaded)) return;
    store.update((state) => callsListed(state, loaded.answer, mine));
    rings.follow(store.state().calls.values());
  };
  const loadAfterAbsence = () => {
    if (clock.now() - currentAt > eventsKeptMs) void load();
  };
  const stopWaking = environment.onWake(loadAfterAbsence);
  stop.addEventListener('abort', () => {
    stopWaking();
    rings.clear();
  });
  store.watch(
    ({ cursor }) => cursor?.queueId,
    () => void load(),
  );
  store.watch(
    ({ connection }) => connection === 'online',
    () => store.state().connection === 'online' && loadAfterAbsence(),
  );
  void load();

  return {
    onEvents(events: readonly ServerEvent[]): void {
      for (const event of events) {
        const { data } = event.type === 'call' ? callState.safeParse(event.call) : { data: undefined };
        if (!data) continue;
        since?.push(data);
        store.update((state) => callBecame(state, data));
        rings.follow([data]);
      }
    },
  };
}

interface RingTimersOptions {
  readonly clock: Clock;
  /** The milliseconds until a time of the server. */
  readonly remaining: (serverSeconds: number) => number;
  readonly onEnd: (callId: string) => void;
}

function createRingTimers({ clock, remaining, onEnd }: RingTimersOptions) {
  const timers = new Map<string, () => void>();
  return {
    follow(calls: Iterable<CallState>): void {
      for (const { id, ring_ends } of calls) {
        timers.get(id)?.();
        timers.delete(id);
        if (ring_ends === null) continue;
        timers.set(
          id,
          clock.after(Math.max(0, remaining(ring_ends)), () => onEnd(id)),
        );
      }
    },
    clear: () => timers.forEach((cancel) => cancel()),
  };
}
