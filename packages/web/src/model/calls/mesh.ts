/** The links of a call whose media go directly between browsers: one to each of the other participants. */
import { callLimits, type CallParticipant, type ParticipantState, type ReceivedSignal } from '@engawa/protocol/calls';
import { cameraQuality, screenQuality } from './ladder.ts';
import { iceServersOf, speechLevel, type CallLinks, type CallLinksOptions } from './links.ts';
import type { Participant } from './ownCall.ts';
import { createPeer, type Peer, type Tracks } from './peer.ts';

interface Other {
  readonly userId: number;
  readonly makesOffers: boolean;
  peer: Peer;
  state: ParticipantState;
  /** Their lease has ended. They stay while media arrive. */
  isUnheard: boolean;
}

export function createMesh({ clock, sound, tracks, send, onChange, log }: CallLinksOptions): CallLinks {
  const others = new Map<string, Other>();
  let ownSeq = 0;
  let rounds = 0;
  let ice: readonly RTCIceServer[] = [];

  const count = () => others.size + 1;
  let hasSpoken = false;
  /**
   * Each link encodes the voice for itself, also silence, so links do not get a microphone that has been muted from the beginning.
   * Later they keep it: after a time without packets, Chromium plays a voice up to a second late.
   */
  const sent = (): Tracks => {
    const own = tracks();
    hasSpoken ||= own.voice?.enabled === true;
    return { ...own, voice: hasSpoken ? own.voice : null };
  };
  const refresh = () => others.values().forEach(({ peer }) => peer.refresh());

  function add(id: string, { user_id, seq, state }: Omit<CallParticipant, 'participant'>): void {
    const known = others.get(id);
    const makesOffers = ownSeq > seq;
    const peer = known?.peer ?? connect(id, makesOffers);
    others.set(id, { userId: user_id, makesOffers, state, isUnheard: false, peer });
    if (!known) refresh();
  }

  function connect(id: string, makesOffers: boolean): Peer {
    const peer = createPeer({
      id,
      ice,
      makesOffers,
      tracks: sent,
      quality: (line) => (line === 'camera' ? cameraQuality(count()) : screenQuality(count())),
      nextRound() {
        rounds += 1;
        return rounds;
      },
      clock,
      send,
      onLink: () => linkChanged(id),
      log,
    });
    sound.play(id, peer.streams.voice);
    return peer;
  }

  function connectAnew(id: string, other: Other): Peer {
    other.peer.close();
    other.peer = connect(id, other.makesOffers);
    return other.peer;
  }

  /** A participant without a path sends its state again to ask for another attempt. */
  function stateChanged(other: Other, state: ParticipantState): void {
    other.state = state;
    if (other.makesOffers && other.peer.link() === 'noPath') other.peer.restart();
  }

  /** An answer from another connection than before belongs to an offer that is void, so the new peer makes another one. */
  function negotiate(id: string, other: Other, signal: ReceivedSignal): void {
    if (other.peer.continues(signal)) return other.peer.receive(signal);
    const peer = connectAnew(id, other);
    if (!other.makesOffers && peer.continues(signal)) peer.receive(signal);
  }

  function remove(id: string): void {
    const other = others.get(id);
    if (!other) return;
    others.delete(id);
    other.peer.close();
    sound.stop(id);
    refresh();
    onChange();
  }

  function linkChanged(id: string): void {
    const other = others.get(id);
    if (other?.isUnheard && !other.peer.isConnected()) remove(id);
    else onChange();
  }

  /** A participant whom the server has not heard of for a while may still be talking: their network reaches us, not the server. */
  function removeUnlessConnected(id: string): void {
    const other = others.get(id);
    if (other?.peer.isConnected()) other.isUnheard = true;
    else remove(id);
  }

  /** The server has forgotten everybody. Those who do not join again in time may have been removed meanwhile. */
  function awaitAgain(id: string): void {
    removeUnlessConnected(id);
    clock.after(callLimits.restart * 1000, () => {
      if (others.get(id)?.isUnheard) remove(id);
    });
  }

  return {
    joined(joined) {
      ownSeq = joined.seq;
      ice = iceServersOf(joined);
      const present = new Set(joined.others.map(({ participant }) => participant));
      for (const id of others.keys().toArray()) if (!present.has(id)) awaitAgain(id);
      for (const other of joined.others) add(other.participant, other);
      onChange();
    },
    receive(signal) {
      const { from } = signal;
      if (signal.kind === 'joined') add(from, signal.data);
      else if (signal.kind === 'left' && signal.data.reason === 'lease') return removeUnlessConnected(from);
      else if (signal.kind === 'left') return remove(from);
      const other = others.get(from);
      if (other && signal.kind === 'state') stateChanged(other, signal.data);
      else if (other) negotiate(from, other, signal);
      onChange();
    },
    others: () =>
      others
        .entries()
        .map(([id, other]) => participantOf(id, other))
        .toArray(),
    refresh,
    restart(participant) {
      const other = others.get(participant);
      if (!other?.makesOffers) return false;
      other.peer.restart();
      return true;
    },
    close() {
      for (const id of others.keys().toArray()) {
        others.get(id)?.peer.close();
        sound.stop(id);
      }
      others.clear();
    },
  };
}

function participantOf(id: string, { userId, peer, state }: Other): Participant {
  const link = peer.link();
  return {
    id,
    userId,
    isSelf: false,
    link,
    muted: state.muted,
    listenOnly: state.listen_only,
    speaking: link === 'connected' && !state.muted && peer.level() > speechLevel,
    camera: state.camera ? peer.streams.camera : undefined,
    screen: state.screen ? peer.streams.screen : undefined,
  };
}
