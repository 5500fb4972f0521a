import { administrationPaths } from '@engawa/protocol/administration';
import { type HookChange, type NewHook, hook, hookPaths, hookSecrets, hooks } from '@engawa/protocol/hooks';
import { z } from 'zod/mini';

export const listOwnHooks = () => ({ method: 'GET', path: hookPaths.hooks, answer: hooks }) as const;

export const listAllHooks = () => ({ method: 'GET', path: administrationPaths.hooks, answer: hooks }) as const;

export const createHook = (body: NewHook) => ({ method: 'POST', path: hookPaths.hooks, body, answer: hookSecrets }) as const;

export const changeHook = (id: number, body: HookChange) =>
  ({ method: 'PATCH', path: hookPaths.hook(id), body, answer: z.object({ hook }) }) as const;

export const renewHook = (id: number) => ({ method: 'POST', path: hookPaths.renew(id), body: {}, answer: hookSecrets }) as const;

export const deleteHook = (id: number) => ({ method: 'DELETE', path: hookPaths.hook(id), answer: z.object({}) }) as const;
