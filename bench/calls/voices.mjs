// The participants of `forwarding.mjs`, in a separate process.
import { payloadTypes } from '@engawa/protocol/sfu';
import { createMediaPeer, rtpPacket } from '../../packages/server/src/testing/mediaPeer.ts';

const peers = new Map();
/** Packets by receiver and SSRC. */
const counts = new Map();
let connected = 0;

process.on('message', async ({ kind, participant, data }) => {
  if (kind === 'sfu_offer') await answer(participant, data);
  else if (kind === 'sfu_reachable') peers.get(participant).reach(data);
  else if (kind === 'talk') talk();
  else if (kind === 'count') count();
});
process.on('disconnect', () => process.exit(0));

async function answer(participant, offer) {
  const peer = createMediaPeer(offer);
  peers.set(participant, peer);
  peer.onPacket((packet) => {
    if (packet[1] !== payloadTypes.voice) return;
    const pair = `${participant} ${packet.readUInt32BE(8)}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  });
  process.send({ kind: 'answer', participant, answer: await peer.answer });
  await peer.connected;
  connected += 1;
  process.send({ kind: 'connected', count: connected });
}

/** Each participant sends 50 packets a second, at different times, and those that are late at once. */
function talk() {
  const begun = performance.now();
  const senders = [...peers.values()].map((peer, index) => ({ peer, ssrc: 1000 + index, sequence: 0, offset: index * 1.6 }));
  setInterval(() => {
    const passed = performance.now() - begun;
    for (const sender of senders) {
      for (; sender.sequence * 20 + sender.offset < passed; sender.sequence += 1) {
        sender.peer.send(rtpPacket({ kind: 'voice', ssrc: sender.ssrc, sequence: sender.sequence }));
      }
    }
  }, 2);
}

function count() {
  process.send({ kind: 'counted', packets: [...counts.values()].reduce((sum, one) => sum + one, 0), pairs: counts.size });
}
