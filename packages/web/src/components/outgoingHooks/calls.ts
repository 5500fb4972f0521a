import {
  type HookOrigin,
  type NewOutgoingHook,
  type OutgoingHookChange,
  hookOrigins,
  outgoingHook,
  outgoingHookPaths as paths,
  outgoingHookSecrets,
  outgoingHooks,
} from '@engawa/protocol/outgoing-hooks';
import { z } from 'zod/mini';

const changed = z.object({ hook: outgoingHook });

export const listOwn = () => ({ method: 'GET', path: paths.hooks, answer: outgoingHooks }) as const;

export const listAll = () => ({ method: 'GET', path: paths.all, answer: outgoingHooks }) as const;

export const createOutgoing = (body: NewOutgoingHook) =>
  ({ method: 'POST', path: paths.hooks, body, answer: outgoingHookSecrets }) as const;

export const changeOutgoing = (id: number, body: OutgoingHookChange) =>
  ({ method: 'PATCH', path: paths.hook(id), body, answer: changed }) as const;

export const renewSecret = (id: number) =>
  ({ method: 'POST', path: paths.renew(id), body: {}, answer: outgoingHookSecrets }) as const;

export const retryNow = (id: number) => ({ method: 'POST', path: paths.retry(id), body: {}, answer: changed }) as const;

export const deleteOutgoing = (id: number) => ({ method: 'DELETE', path: paths.hook(id), answer: z.object({}) }) as const;

export const listOrigins = () => ({ method: 'GET', path: paths.origins, answer: hookOrigins }) as const;

export const allowOrigin = (body: HookOrigin) => ({ method: 'POST', path: paths.origins, body, answer: hookOrigins }) as const;

export const removeOrigin = (origin: string) =>
  ({ method: 'DELETE', path: `${paths.origins}?origin=${encodeURIComponent(origin)}`, answer: hookOrigins }) as const;
