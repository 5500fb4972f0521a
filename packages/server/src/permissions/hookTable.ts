import { hookAddress, hookPaths } from '@engawa/protocol/hooks';
import { type Calls, row } from './row.ts';
import type { World } from './world.ts';

let hooks = 0;
const newHook = (stream_id: number) => ({ name: `フック ${(hooks += 1)}`, stream_id, topic: '通知' });

/** Incoming hooks. 田中 has one in the common group. */
export const hookTable: Readonly<Record<'hooks' | 'posts', Calls<World>>> = {
  //                            nobody guest memb  mod   admin owner deactivated
  hooks: {
    'GET /api/hooks': [row('who   ok    ok    ok    ok    ok    gone ', 'one’s own', () => ({ url: hookPaths.hooks }))],
    'POST /api/hooks': [
      row('who   fixed ok    ok    ok    ok    gone ', 'in a group that they are in; guests have no bots', ({ groups }) => ({
        url: hookPaths.hooks,
        json: newHook(groups.common.id),
      })),
      row('who   none  none  none  none  none  gone ', 'in a group that they are not in', ({ groups }) => ({
        url: hookPaths.hooks,
        json: newHook(groups.closed.id),
      })),
    ],
    'PATCH /api/hooks/:id': [
      row('who   none  none  none  ok    ok    gone ', 'another’s', ({ hook }) => ({
        url: hookPaths.hook(hook.id),
        json: { topic: 'ほかの話題' },
      })),
    ],
    'POST /api/hooks/:id/renew': [
      row('who   none  none  none  none  none  gone ', 'another’s, whose address nobody else gets', ({ hook }) => ({
        url: hookPaths.renew(hook.id),
        json: {},
      })),
    ],
    'DELETE /api/hooks/:id': [
      row('who   none  none  none  none  none  gone ', 'an unknown one', () => ({ url: hookPaths.hook(999_999) })),
    ],
  },
  posts: {
    'POST /hooks/:token': [
      row('ok    ok    ok    ok    ok    ok    ok   ', 'with a token, which alone decides', ({ hook }) => ({
        url: `${hookAddress}${hook.token}`,
        json: { text: 'デプロイしました' },
      })),
    ],
  },
};
