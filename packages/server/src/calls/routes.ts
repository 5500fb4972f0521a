import { callId, callJoin, callLeave, callPaths, callRing, callStart, sentSignals, signalsQuery } from '@engawa/protocol/calls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../chat/forward.ts';
import { refused } from '../http/errors.ts';
import { parse } from '../http/parameters.ts';
import type { Gate } from '../sessions/member.ts';
import type { Calls } from './calls.ts';

export interface CallRouteDependencies {
  readonly calls: Calls;
  readonly gate: Gate;
  readonly callerOf: (request: FastifyRequest) => Caller;
}

const named = z.object({ id: callId });

/** Polls and signals use `gate.viewer`, because `gate.member` would spend the member's calls of the chat API. */
export function callRoutes(app: FastifyInstance, dependencies: CallRouteDependencies): void {
  const { calls, gate, callerOf } = dependencies;
  const path = callPaths.call(':id');

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith(callPaths.calls)) void reply.header('Cache-Control', 'no-store');
  });
  app.get(callPaths.calls, async (request) => calls.list(await gate.viewer(request)));
  app.post(callPaths.calls, async (request) => {
    const member = await gate.member(request);
    return { call: await calls.start(member, parse(callStart, request.body)) };
  });
  app.get(path, async (request) => {
    const viewer = await gate.viewer(request);
    return calls.details(viewer, idIn(request));
  });
  app.post(callPaths.join(':id'), async (request) => {
    const asker = await gate.member(request);
    const session = callerOf(request).activity;
    return calls.join({ asker, session }, idIn(request), parse(callJoin, request.body));
  });
  app.get(callPaths.signals(':id'), (request, reply) => poll(request, reply, dependencies));
  app.post(callPaths.signals(':id'), async (request) => {
    const viewer = await gate.viewer(request);
    await calls.send(viewer, idIn(request), parse(sentSignals, request.body));
    return {};
  });
  app.post(callPaths.decline(':id'), async (request) => {
    const viewer = await gate.viewer(request);
    await calls.decline(viewer, idIn(request));
    return {};
  });
  // `navigator.sendBeacon` can send no JSON and no header, so the participant is in the query.
  app.post(callPaths.leave(':id'), async (request) => {
    const viewer = await gate.viewer(request);
    calls.leave(viewer.id, idIn(request), parse(callLeave, request.query).participant);
    return {};
  });
  app.post(callPaths.ring(':id'), async (request) => {
    const viewer = await gate.viewer(request);
    const { participant, user_ids: chosen } = parse(callRing, request.body);
    return { call: await calls.ring(viewer, idIn(request), participant, chosen) };
  });
}

async function poll(request: FastifyRequest, { raw }: FastifyReply, { calls, gate, callerOf }: CallRouteDependencies) {
  const asker = await gate.viewer(request);
  const left = new AbortController();
  raw.once('close', () => left.abort());
  const session = callerOf(request).activity;
  // The end of the session answers the poll, and the next one is refused.
  const over = session?.add(left);
  try {
    return await calls.poll({ asker, session }, idIn(request), parse(signalsQuery, request.query), left.signal);
  } finally {
    over?.();
  }
}

/** @throws RefusedError 404 for an id that no call can have. */
function idIn({ params }: FastifyRequest): string {
  const { data } = named.safeParse(params);
  if (!data) throw refused.noSuchOngoingCall();
  return data.id;
}
