import { expect, it, onTestFinished } from 'vitest';
import * as library from 'node-datachannel';
import { createMediaPeer } from '../../testing/mediaPeer.ts';
import { freeUdpPort } from '../../testing/ports.ts';
import type { FromWorker } from './messages.ts';
import { createRooms } from './rooms.ts';

it('If the library fails for one connection, the process goes on and only this connection is closed', async () => {
  const told: FromWorker[] = [];
  const rooms = createRooms({ library, port: await freeUdpPort(), address: undefined }, (message) => told.push(message));
  onTestFinished(rooms.close);
  for (const slot of [0, 1]) rooms.apply({ kind: 'open', call: 'one', slot, round: slot });
  const offers = () => told.flatMap((message) => (message.kind === 'offer' ? [message.offer] : []));
  await expect.poll(offers).toHaveLength(2);
  for (const offer of offers()) {
    const peer = createMediaPeer(offer);
    onTestFinished(peer.close);
    const answer = await peer.answer;
    const fingerprint = offer.slot === 0 ? 'malformed' : answer.fingerprint;
    rooms.apply({ kind: 'answer', call: 'one', slot: offer.slot, answer: { ...answer, fingerprint } });
  }
  expect(told.filter(({ kind }) => kind !== 'offer')).toMatchObject([
    { kind: 'failed', reason: expect.stringContaining('fingerprint') },
    { kind: 'reachable', slot: 1 },
  ]);
});
