import { fakeClock } from '@engawa/client/testing';
import { callLimits, type LeaveReason, type ReceivedSignal } from '@engawa/protocol/calls';
import { expect, it, vi } from 'vitest';
import { callBrowser } from '../../../test/callBrowser.ts';
import { joinedCall, kenHere } from '../../../test/callServer.ts';
import { createMesh } from './mesh.ts';
import { createSound } from './sound.ts';

const noTracks = () => ({ voice: null, camera: null, screen: null });

/** A mesh that is connected to 石川 健. */
function connectedMesh() {
  const { connections } = callBrowser();
  const sound = { ...createSound(vi.fn()), stop: vi.fn() };
  const clock = fakeClock();
  const send = vi.fn();
  const mesh = createMesh({ clock, sound, tracks: noTracks, send, onChange: vi.fn(), log: vi.fn() });
  mesh.joined(joinedCall());
  for (const connection of connections) connection.connect();
  let n = 0;
  const left = (reason: LeaveReason) => {
    n += 1;
    mesh.receive({ n, kind: 'left', from: kenHere.participant, data: { reason } } satisfies ReceivedSignal);
  };
  return { mesh, clock, sound, send, left, connections, states: () => connections.map(({ connectionState }) => connectionState) };
}

it.each(['removed', 'left', 'moved', 'ended'] as const)(
  '[R2.10] A participant who leaves with the reason “%s” is cut at once, although their media still arrive',
  (reason) => {
    const { mesh, sound, left, states } = connectedMesh();
    left(reason);
    expect(states()).toEqual(['closed']);
    expect(sound.stop).toHaveBeenCalledExactlyOnceWith(kenHere.participant);
    expect(mesh.others()).toEqual([]);
  },
);

it('[R2.10] A participant whose lease ended stays while their media arrive', () => {
  const { mesh, left, states, connections } = connectedMesh();
  left('lease');
  expect(states()).toEqual(['connected']);
  expect(mesh.others()).toMatchObject([{ id: kenHere.participant, link: 'connected' }]);
  connections[0]?.lose();
  expect(states()).toEqual(['closed']);
  expect(mesh.others()).toEqual([]);
});

it('[R2.10] A participant whose lease ended is cut at once when they are removed', () => {
  const { mesh, left, states } = connectedMesh();
  left('lease');
  left('removed');
  expect(states()).toEqual(['closed']);
  expect(mesh.others()).toEqual([]);
});

it('[R2.10] A participant who does not join again after the server forgot the call is cut, because they may have been removed', async () => {
  const { mesh, clock, states } = connectedMesh();
  mesh.joined(joinedCall({ epoch: 'later', others: [] }));
  expect(states()).toEqual(['connected']);
  await clock.pass(callLimits.restart * 1000);
  expect(states()).toEqual(['closed']);
  expect(mesh.others()).toEqual([]);
});

it('[R2.10] A participant who joins again after the server forgot the call keeps their connection', async () => {
  const { mesh, clock, states } = connectedMesh();
  mesh.joined(joinedCall({ epoch: 'later', others: [] }));
  const { participant: from, ...data } = kenHere;
  mesh.receive({ n: 1, kind: 'joined', from, data });
  await clock.pass(callLimits.restart * 1000);
  expect(states()).toEqual(['connected']);
});

it('[R2.10] A lost connection is restarted after two seconds, then every four seconds, and given up after thirty', async () => {
  const { mesh, clock, send, connections } = connectedMesh();
  const offers = () => send.mock.calls.filter(([{ kind }]) => kind === 'offer').length;
  await vi.waitFor(() => expect(offers()).toBe(1));
  connections[0]?.lose();
  expect(mesh.others()).toMatchObject([{ link: 'reconnecting' }]);
  await clock.pass(2000);
  await vi.waitFor(() => expect(offers()).toBe(2));
  for (let offer = 3; offer <= 8; offer += 1) {
    await clock.pass(4000);
    await vi.waitFor(() => expect(offers()).toBe(offer));
  }
  await clock.pass(4000);
  await vi.waitFor(() => expect(mesh.others()).toMatchObject([{ link: 'noPath' }]));
  expect(offers()).toBe(8);
});
