/** A server of calls that answers at once and remembers the requests. Tests send the signals. */
import type { CallList, CallState, JoinedCall, ReceivedSignal } from '@engawa/protocol/calls';
import type { Fetch } from '@engawa/client';
import { exampleCallState } from './exampleCall.ts';
import { ai, ken } from './organisation.ts';

type Unnumbered<Signal> = Signal extends unknown ? Omit<Signal, 'n'> : never;

const silent = { muted: false, camera: false, screen: false, listen_only: false };
export const self = `${ai.user_id}-participant1`;
export const kenHere = { participant: `${ken.user_id}-participant1`, user_id: ken.user_id, seq: 1, state: silent };

export function joinedCall(change: Partial<JoinedCall> = {}): JoinedCall {
  const call = exampleCallState({ ringing: [], participants: [ken.user_id, ai.user_id] });
  return { call, participant: self, seq: 2, epoch: 'epoch', others: [kenHere], ice: [], lease: 30, engine: 'mesh', ...change };
}

interface CallServerOptions {
  readonly calls?: readonly CallState[];
  readonly joined?: JoinedCall;
}

export function callServer({ calls = [exampleCallState()], joined = joinedCall() }: CallServerOptions = {}) {
  const requests: { readonly name: string; readonly body: unknown }[] = [];
  const answers = new Map<string, (() => Response | Promise<Response>)[]>();
  const engines = [{ engine: 'mesh' as const, participants: 8, cameras: 6 }];
  const list: CallList = { calls: [...calls], engines, ring_members: 10 };
  let signals: ReceivedSignal[] = [];
  let poll: (() => void) | undefined;
  let sent = 0;

  async function nextSignals(signal: AbortSignal | null | undefined): Promise<Response> {
    if (signals.length === 0)
      await new Promise<void>((resolve, reject) => {
        poll = resolve;
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    const answer = Response.json({ epoch: joined.epoch, signals });
    signals = [];
    return answer;
  }

  return {
    requests,
    named: (name: string) => requests.filter((request) => request.name === name),
    list,
    /** The next request with this name gets this answer. */
    answer: (name: string, next: () => Response | Promise<Response>) => answers.set(name, [...(answers.get(name) ?? []), next]),
    signal(signal: Unnumbered<ReceivedSignal>): void {
      sent += 1;
      signals.push({ ...signal, n: sent });
      poll?.();
    },
    fetch: (async (input, { method = 'GET', body, signal } = {}) => {
      const path = new URL(String(input)).pathname;
      const name = `${method} ${path.replace(joined.call.id, ':id')}`;
      requests.push({ name, body: typeof body === 'string' ? JSON.parse(body) : undefined });
      const special = answers.get(name)?.shift();
      if (special) return special();
      if (name === 'GET /api/calls') return Response.json(list);
      if (name === 'POST /api/calls') return Response.json({ call: joined.call });
      if (name === 'GET /api/calls/:id') return Response.json({ call: joined.call, people: [] });
      if (name === 'POST /api/calls/:id/join') return Response.json(joined);
      if (name === 'GET /api/calls/:id/signals') return nextSignals(signal);
      return Response.json({});
    }) satisfies Fetch,
  };
}
