import { type OutgoingSignal, sentSignals } from '@engawa/protocol/calls';
import { connect } from '@engawa/client';
import { fakeClock } from '@engawa/client/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { callServer, joinedCall } from '../../../test/callServer.ts';
import { isReplaced, startSignalling } from './signalling.ts';

const offerTo = (to: string, sdp = 'v=0'): OutgoingSignal => ({ kind: 'offer', to, data: { sdp } });
const answerTo = (to: string): OutgoingSignal => ({ kind: 'answer', to, data: { sdp: 'v=0' } });
const candidateTo = (to: string): OutgoingSignal => ({ kind: 'candidate', to, data: { candidate: '' } });
const state = { kind: 'state', data: { muted: true, camera: false, screen: false, listen_only: false } } as const;

it('[R2.10] An unsent offer replaces the earlier offer and candidates to the same participant, and no other signal', () => {
  const unsent = [offerTo('ken'), candidateTo('ken'), offerTo('mai'), candidateTo('mai'), state];
  expect(unsent.filter((earlier) => !isReplaced(earlier, offerTo('ken')))).toEqual([offerTo('mai'), candidateTo('mai'), state]);
});

it('[R2.10] Of unsent own states only the newest is sent', () => {
  const unsent = [state, answerTo('ken')];
  expect(unsent.filter((earlier) => !isReplaced(earlier, state))).toEqual([answerTo('ken')]);
  expect(unsent.filter((earlier) => !isReplaced(earlier, answerTo('ken')))).toEqual(unsent);
});

function startedSignalling({ onServerAway = () => undefined }: { readonly onServerAway?: () => void } = {}) {
  const server = callServer();
  const clock = fakeClock();
  const stopping = new AbortController();
  const joined = joinedCall();
  const site = 'http://engawa.example';
  const { fetch } = server;
  const signalling = startSignalling(
    {
      connection: connect({ realm: site, fetch, clock }),
      environment: { site, fetch, clock, random: () => 1, log: vi.fn() },
      clock,
      stop: stopping.signal,
    },
    {
      callId: joined.call.id,
      joined,
      state: () => state.data,
      onSignal: vi.fn(),
      onJoined: vi.fn(),
      onServerAway,
      onOver: vi.fn(),
    },
  );
  onTestFinished(() => stopping.abort());
  return {
    signalling,
    clock,
    requests: () => server.named('POST /api/calls/:id/signals').map(({ body }) => body),
  };
}

it('[R2.10] A signal that is sent while the answer to the previous one is handled is not forgotten', async () => {
  const { signalling, clock, requests } = startedSignalling({
    // Runs after the answer, and before anything that waits for the end of the sending.
    onServerAway: () => requests().length === 1 && queueMicrotask(() => signalling.send(answerTo('mai'))),
  });
  signalling.send(answerTo('ken'));
  await clock.pass(5);
  await vi.waitFor(() => expect(requests()).toHaveLength(1));
  await clock.pass(5);
  await vi.waitFor(() => expect(requests()).toHaveLength(2));
});

it('[R2.10] The seven offers of an eighth participant go in requests of a size that the server accepts', async () => {
  const { signalling, clock, requests } = startedSignalling();
  const offers = Array.from({ length: 7 }, (_, other) => offerTo(`${other}-participant1`, 'a=\r\n'.repeat(1900)));
  for (const offer of offers) signalling.send(offer);
  await clock.pass(5);
  await vi.waitFor(() => expect(requests().flatMap((request) => sentSignals.parse(request).signals)).toEqual(offers));
  for (const request of requests()) expect(JSON.stringify(request).length).toBeLessThan(64 * 1024);
});
