import { administrationPaths } from '@engawa/protocol/administration';
import { hookChange, hookPaths, newHook } from '@engawa/protocol/hooks';
import type { FastifyInstance } from 'fastify';
import { parse, withId } from '../http/parameters.ts';
import type { Gate } from '../sessions/member.ts';
import type { OwnedHooks } from './hooks.ts';

/** The calls by which members manage their hooks. */
export function hookRoutes(app: FastifyInstance, { owned, gate }: { readonly owned: OwnedHooks; readonly gate: Gate }): void {
  app.get(hookPaths.hooks, async (request, reply) => {
    const member = await gate.member(request);
    void reply.header('Cache-Control', 'no-store');
    return { hooks: owned.list(member.id) };
  });
  app.post(hookPaths.hooks, async (request, reply) => {
    const member = await gate.member(request);
    void reply.header('Cache-Control', 'no-store');
    return owned.create(member, parse(newHook, request.body));
  });
  app.patch(hookPaths.hook(':id'), async (request) => {
    const member = await gate.member(request);
    return { hook: await owned.change(member, parse(withId, request.params).id, parse(hookChange, request.body)) };
  });
  app.post(hookPaths.renew(':id'), async (request, reply) => {
    const member = await gate.member(request);
    void reply.header('Cache-Control', 'no-store');
    return owned.renew(member, parse(withId, request.params).id);
  });
  app.delete(hookPaths.hook(':id'), async (request) => {
    const member = await gate.member(request);
    await owned.remove(member, parse(withId, request.params).id);
    return {};
  });
  app.get(administrationPaths.hooks, async (request, reply) => {
    await gate.administrator(request);
    void reply.header('Cache-Control', 'no-store');
    return { hooks: owned.list() };
  });
}
