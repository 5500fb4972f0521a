import { hookOriginChange, newOutgoingHook, outgoingHookChange, outgoingHookPaths } from '@engawa/protocol/outgoing-hooks';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parse, withId } from '../../http/parameters.ts';
import type { Gate } from '../../sessions/member.ts';
import type { OwnedOutgoingHooks } from './owned.ts';

interface RouteDependencies {
  readonly owned: OwnedOutgoingHooks;
  readonly gate: Gate;
}

const noStore = ['Cache-Control', 'no-store'] as const;
const namedOrigin = z.object({ origin: z.string() });

/** The calls by which members manage their outgoing hooks, and administrators all hooks and the allowed origins. */
export function outgoingHookRoutes(app: FastifyInstance, { owned, gate }: RouteDependencies): void {
  const { hooks, hook, renew, retry, all, origins } = outgoingHookPaths;
  const allowed = () => owned.origins().map(({ origin }) => origin);

  app.get(hooks, async (request, reply) => {
    const member = await gate.member(request);
    void reply.header(...noStore);
    return { hooks: owned.list(member.id), origins: allowed() };
  });
  app.post(hooks, async (request, reply) => {
    const member = await gate.member(request);
    void reply.header(...noStore);
    return owned.create(member, parse(newOutgoingHook, request.body));
  });
  app.patch(hook(':id'), async (request) => {
    const member = await gate.member(request);
    return { hook: await owned.change(member, parse(withId, request.params).id, parse(outgoingHookChange, request.body)) };
  });
  app.delete(hook(':id'), async (request) => {
    const member = await gate.member(request);
    await owned.remove(member, parse(withId, request.params).id);
    return {};
  });
  app.post(renew(':id'), async (request, reply) => {
    const member = await gate.member(request);
    void reply.header(...noStore);
    return owned.renew(member, parse(withId, request.params).id);
  });
  app.post(retry(':id'), async (request) => {
    const member = await gate.member(request);
    return { hook: await owned.retry(member, parse(withId, request.params).id) };
  });

  app.get(all, async (request, reply) => {
    await gate.administrator(request);
    void reply.header(...noStore);
    return { hooks: owned.list(), origins: allowed() };
  });
  app.get(origins, async (request, reply) => {
    await gate.administrator(request);
    void reply.header(...noStore);
    return { origins: owned.origins() };
  });
  app.post(origins, async (request) => {
    await gate.administrator(request);
    const { origin, is_private } = parse(hookOriginChange, request.body);
    await owned.allow(origin, is_private);
    return { origins: owned.origins() };
  });
  app.delete(origins, async (request) => {
    await gate.administrator(request);
    await owned.disallow(parse(namedOrigin, request.query).origin);
    return { origins: owned.origins() };
  });
}
