/** Members of a running product who call each other by the calls of the product. */
import { type ErrorAnswer, errorAnswer, getOwnUser, getStreamId, subscribe } from '@engawa/protocol';
import {
  callDetails,
  callLimits,
  callList,
  callPaths,
  joinedCall,
  receivedSignals,
  startedCall,
  type CallJoin,
  type ParticipantState,
} from '@engawa/protocol/calls';
import type { RunningProduct } from './product.ts';

/** Milliseconds. */
export const second = 1000;
export const quiet: ParticipantState = { muted: true, camera: false, screen: false, listen_only: false };
export const names = ['tanaka', 'sato', 'suzuki', 'kato'] as const;

/** A browser of a member. */
export function memberCalling(product: RunningProduct, name: string) {
  const request = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { host: 'localhost', authorization: await product.basicOf(name) };
    const answer = await product.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    const body: unknown = answer.json();
    return { status: answer.statusCode, body };
  };
  const ok = async (...given: Parameters<typeof request>): Promise<unknown> => {
    const { status, body } = await request(...given);
    if (status !== 200) throw new Error(`${given.slice(0, 2).join(' ')}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    ok,
    async refused(...given: Parameters<typeof request>): Promise<ErrorAnswer & { readonly status: number }> {
      const { status, body } = await request(...given);
      return { status, ...errorAnswer.parse(body) };
    },
    start: async (conversation: number | readonly number[], change: object = {}) =>
      startedCall.parse(await ok('POST', callPaths.calls, { conversation, kind: 'audio', ...change })).call,
    list: async () => callList.parse(await ok('GET', callPaths.calls)).calls,
    details: async (id: string) => callDetails.parse(await ok('GET', callPaths.call(id))),
    join: async (id: string, change: Partial<CallJoin> = {}) =>
      joinedCall.parse(await ok('POST', callPaths.join(id), { state: quiet, ...change })),
    /** Returns the signals that wait, or waits for the next one. */
    poll: async (id: string, participant: string, after = 0) =>
      receivedSignals.parse(await ok('GET', `${callPaths.signals(id)}?participant=${participant}&after=${after}`)),
    send: (id: string, participant: string, signals: readonly object[]) =>
      ok('POST', callPaths.signals(id), { participant, signals }),
    decline: (id: string) => ok('POST', callPaths.decline(id)),
    leave: (id: string, participant: string) => ok('POST', `${callPaths.leave(id)}?participant=${participant}`),
  };
}

export const idOf = async (product: RunningProduct, name: string): Promise<number> =>
  (await product.call(name, getOwnUser, {})).user_id;

let created = 0;

/** Creates a private stream with these members, the first of whom is its creator. */
export async function createStream(
  product: RunningProduct,
  members: readonly string[],
): Promise<{ readonly id: number; readonly name: string }> {
  const [creator = ''] = members;
  const name = `通話の会 ${(created += 1)}`;
  const principals = await Promise.all(members.map((member) => idOf(product, member)));
  await product.call(creator, subscribe, { subscriptions: [{ name }], principals, invite_only: true });
  return { id: (await product.call(creator, getStreamId, { stream: name })).stream_id, name };
}

/** Four members who are in no call: those of earlier tests end, and their limits begin again. */
export async function callersIn(product: RunningProduct) {
  const { lease, alone, ringsPerPerson } = callLimits;
  for (const rest of [lease, alone, ringsPerPerson.seconds]) product.pass((rest + 1) * second);
  const [tanakaId, satoId, suzukiId, katoId] = await Promise.all([
    idOf(product, 'tanaka'),
    idOf(product, 'sato'),
    idOf(product, 'suzuki'),
    idOf(product, 'kato'),
  ]);
  return {
    tanaka: memberCalling(product, 'tanaka'),
    sato: memberCalling(product, 'sato'),
    suzuki: memberCalling(product, 'suzuki'),
    kato: memberCalling(product, 'kato'),
    tanakaId,
    satoId,
    suzukiId,
    katoId,
  };
}
