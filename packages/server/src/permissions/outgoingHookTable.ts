import { outgoingHookPaths as paths } from '@engawa/protocol/outgoing-hooks';
import { type Calls, row } from './row.ts';
import type { World } from './world.ts';

let made = 0;
const create = (address: string) => ({ url: paths.hooks, json: { name: `送信 ${(made += 1)}号`, address } });
const origin = 'https://other.example.com';

/** 田中 owns the hook of the world. */
export const outgoingHookTable: Readonly<Record<'hooks' | 'administration', Calls<World>>> = {
  //                            nobody guest memb  mod   admin owner deactivated
  hooks: {
    'GET /api/outgoing-hooks': [row('who   ok    ok    ok    ok    ok    gone ', 'one’s own', () => ({ url: paths.hooks }))],
    'POST /api/outgoing-hooks': [
      row('who   fixed ok    ok    ok    ok    gone ', 'a new one', ({ outgoingHook: hook }) => create(hook.address)),
      row('who   addr  addr  addr  addr  addr  gone ', 'a new one to an address that is not allowed', () =>
        create('https://unknown.example.com/in'),
      ),
      row('who   none  none  none  none  none  gone ', 'for another’s bot', ({ outgoingHook: hook }) => ({
        url: paths.hooks,
        json: { bot_id: hook.id, address: hook.address },
      })),
    ],
    'PATCH /api/outgoing-hooks/:id': [
      row('who   none  none  none  ok    ok    gone ', 'another’s, to turn it off', ({ outgoingHook: hook }) => ({
        url: paths.hook(hook.id),
        json: { is_on: false },
      })),
      row('who   none  none  none  none  none  gone ', 'another’s address', ({ outgoingHook: hook }) => ({
        url: paths.hook(hook.id),
        json: { address: hook.address },
      })),
    ],
    'DELETE /api/outgoing-hooks/:id': [
      row('who   none  none  none  none  none  gone ', 'an unknown one', () => ({ url: paths.hook(999_999) })),
    ],
    'POST /api/outgoing-hooks/:id/renew': [
      row('who   none  none  none  none  none  gone ', 'another’s secret', ({ outgoingHook: hook }) => ({
        url: paths.renew(hook.id),
      })),
    ],
    'POST /api/outgoing-hooks/:id/retry': [
      row('who   none  none  none  none  none  gone ', 'another’s post', ({ outgoingHook: hook }) => ({
        url: paths.retry(hook.id),
      })),
    ],
  },
  administration: {
    'GET /api/administration/outgoing-hooks': [
      row('who   rank  rank  rank  ok    ok    gone ', 'all', () => ({ url: paths.all })),
    ],
    'GET /api/administration/hook-origins': [
      row('who   rank  rank  rank  ok    ok    gone ', 'all', () => ({ url: paths.origins })),
    ],
    'POST /api/administration/hook-origins': [
      row('who   rank  rank  rank  ok    ok    gone ', 'a new one', () => ({ url: paths.origins, json: { origin } })),
    ],
    'DELETE /api/administration/hook-origins': [
      row('who   rank  rank  rank  ok    ok    gone ', 'one', () => ({
        url: `${paths.origins}?origin=${encodeURIComponent(origin)}`,
      })),
    ],
  },
};
