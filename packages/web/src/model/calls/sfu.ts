/** The links of a call whose media go through the forwarding unit of the server. */
import type { SfuOffer } from '@engawa/protocol/sfu';
import { cameraQuality, screenQuality } from './ladder.ts';
import { iceServersOf, type CallLinks, type CallLinksOptions } from './links.ts';
import { createServerLinks } from './serverLinks.ts';
import { connectToSfu, type SfuConnection } from './sfuConnection.ts';

const restartAfterMs = 2000;
/** A new connection that is not open by then is replaced by another one. */
const openWithinMs = 7000;
const restartEveryMs = 4000;

export function createSfuLinks({ clock, sound, tracks, send, onChange, log }: CallLinksOptions): CallLinks {
  let slots: readonly (string | null)[] = [];
  let ice: readonly RTCIceServer[] = [];
  let connection: SfuConnection | undefined;

  const links = createServerLinks({
    clock,
    sound,
    onChange,
    connect: () => send({ kind: 'sfu_restart' }),
    connectEvery: restartEveryMs,
    media: {
      has: (id) => slots.includes(id),
      streamOf: (id, kind) => (slots.includes(id) ? connection?.streamOf(slots.indexOf(id), kind) : undefined),
      levelOf: (id) => (slots.includes(id) ? connection?.levelOf(slots.indexOf(id)) : undefined) ?? 0,
      refresh: () => connection?.refresh(),
      close: () => connection?.close(),
    },
  });

  function connect(offer: SfuOffer): void {
    connection?.close();
    connection = connectToSfu({
      offer,
      ice,
      tracks,
      quality: (kind) => (kind === 'camera' ? cameraQuality(links.count(), 'sfu') : screenQuality(links.count())),
      sendAnswer: (data) => send({ kind: 'sfu_answer', data }),
      onState: stateChanged,
      log,
    });
    links.connecting(openWithinMs);
  }

  function stateChanged(state: RTCPeerConnectionState): void {
    if (state === 'connected') links.connected();
    else if (state === 'failed') links.lost(0);
    else if (state === 'disconnected') links.lost(restartAfterMs);
  }

  return {
    ...links,
    joined(joined) {
      ice = iceServersOf(joined);
      links.joined(joined);
    },
    receive(signal) {
      if (signal.kind === 'sfu_offer') connect(signal.data);
      else if (signal.kind === 'sfu_reachable' && connection?.round === signal.data.round) connection.reach(signal.data);
      else if (signal.kind === 'sfu_slots') ({ slots } = signal.data);
      links.receive(signal);
    },
  };
}
