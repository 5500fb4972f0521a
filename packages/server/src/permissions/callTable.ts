import { callPaths, type ParticipantState } from '@engawa/protocol/calls';
import { type Calls, row } from './row.ts';
import type { World } from './world.ts';

const state: ParticipantState = { muted: true, camera: false, screen: false, listen_only: true };
const signals = [{ kind: 'state', data: state }];

/** Audio and video calls. 田中 has started one in each of two groups; nobody else is in the closed group. */
export const callTable: Readonly<Record<'calls', Calls<World>>> = {
  //                            nobody guest memb  mod   admin owner deactivated
  calls: {
    'GET /api/calls': [
      row('who   ok    ok    ok    ok    ok    gone ', 'those of one’s conversations', () => ({ url: callPaths.calls })),
    ],
    'POST /api/calls': [
      row('who   ok    ok    ok    ok    ok    gone ', 'in a direct conversation', ({ ids }) => ({
        url: callPaths.calls,
        json: { conversation: [ids.tanaka], kind: 'audio' },
      })),
      row('who   exist exist exist exist exist gone ', 'in a group that has a call', ({ groups }) => ({
        url: callPaths.calls,
        json: { conversation: groups.common.id, kind: 'audio' },
      })),
      row('who   none  none  none  none  none  gone ', 'in a group that they are not in', ({ groups }) => ({
        url: callPaths.calls,
        json: { conversation: groups.closed.id, kind: 'audio' },
      })),
    ],
    'GET /api/calls/:id': [
      row('who   ok    ok    ok    ok    ok    gone ', 'of a group that they are in', ({ started }) => ({
        url: callPaths.call(started.common),
      })),
      row('who   none  none  none  none  none  gone ', 'of a group that they are not in', ({ started }) => ({
        url: callPaths.call(started.closed),
      })),
    ],
    'POST /api/calls/:id/join': [
      row('who   ok    ok    ok    ok    ok    gone ', 'of a group that they are in', ({ started }) => ({
        url: callPaths.join(started.common),
        json: { state, move: true },
      })),
      row('who   none  none  none  none  none  gone ', 'of a group that they are not in', ({ started }) => ({
        url: callPaths.join(started.closed),
        json: { state, participant: started.participant },
      })),
    ],
    'GET /api/calls/:id/signals': [
      row('who   apart apart apart apart apart gone ', 'those for another’s participant', ({ started }) => ({
        url: `${callPaths.signals(started.common)}?participant=${started.participant}&after=0`,
      })),
      row('who   none  none  none  none  none  gone ', 'in a group that they are not in', ({ started }) => ({
        url: `${callPaths.signals(started.closed)}?participant=${started.participant}&after=0`,
      })),
    ],
    'POST /api/calls/:id/signals': [
      row('who   apart apart apart apart apart gone ', 'as another’s participant', ({ started }) => ({
        url: callPaths.signals(started.common),
        json: { participant: started.participant, signals },
      })),
      row('who   none  none  none  none  none  gone ', 'in a group that they are not in', ({ started }) => ({
        url: callPaths.signals(started.closed),
        json: { participant: started.participant, signals },
      })),
    ],
    'POST /api/calls/:id/decline': [
      row('who   ok    ok    ok    ok    ok    gone ', 'of a group that they are in', ({ started }) => ({
        url: callPaths.decline(started.common),
      })),
      row('who   none  none  none  none  none  gone ', 'of a group that they are not in', ({ started }) => ({
        url: callPaths.decline(started.closed),
      })),
    ],
    'POST /api/calls/:id/leave': [
      row('who   ok    ok    ok    ok    ok    gone ', 'as another’s participant, which changes nothing', ({ started }) => ({
        url: `${callPaths.leave(started.common)}?participant=${started.participant}`,
      })),
    ],
    'POST /api/calls/:id/ring': [
      row('who   apart apart apart apart apart gone ', 'as another’s participant', ({ started }) => ({
        url: callPaths.ring(started.common),
        json: { participant: started.participant },
      })),
      row('who   none  none  none  none  none  gone ', 'in a group that they are not in', ({ started }) => ({
        url: callPaths.ring(started.closed),
        json: { participant: started.participant },
      })),
    ],
  },
};
