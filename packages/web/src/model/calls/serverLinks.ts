/** The links of a call whose media go through a server: one connection for all participants. */
import type { CallParticipant, ParticipantState } from '@engawa/protocol/calls';
import type { MediaKind } from '@engawa/protocol/sfu';
import { speechLevel, type CallLinks, type CallLinksOptions } from './links.ts';
import type { Link, Participant } from './ownCall.ts';
import { createReconnection } from './reconnection.ts';

const connectWithinMs = 15_000;

/** The media that arrive through the present connection; none without one. */
interface ServerMedia {
  /** Whether the participant's media can arrive. */
  has(participant: string): boolean;
  streamOf(participant: string, kind: MediaKind): MediaStream | undefined;
  /** 0 to 1. */
  levelOf(participant: string): number;
  /** Sends the own tracks in the quality for the present number of participants. */
  refresh(): void;
  close(): void;
}

interface ServerLinksOptions extends Pick<CallLinksOptions, 'clock' | 'sound' | 'onChange'> {
  readonly media: ServerMedia;
  /** Asks for a new connection. */
  readonly connect: () => void;
  /** Milliseconds between two tries to connect. */
  readonly connectEvery: number;
}

interface ServerLinks extends CallLinks {
  readonly count: () => number;
  /** Media have come or gone. */
  changed(): void;
  connected(): void;
  /** A first connection is being made. It is replaced unless it is connected within `milliseconds`. */
  connecting(milliseconds: number): void;
  /** The connection is lost, and is replaced after `milliseconds` unless it is connected again by then. */
  lost(milliseconds: number): void;
}

interface Other {
  readonly userId: number;
  readonly state: ParticipantState;
  /** Since when their media cannot arrive, in unix milliseconds. */
  absentSince: number | undefined;
}

export function createServerLinks({ clock, sound, onChange, media, connect, connectEvery }: ServerLinksOptions): ServerLinks {
  const others = new Map<string, Other>();
  const playing = new Map<string, MediaStream>();
  const closing = new AbortController();
  let link: Link = 'connecting';
  const becomes = (next: Link) => {
    link = next;
    onChange();
  };
  const reconnection = createReconnection({
    clock,
    closed: closing.signal,
    every: connectEvery,
    attempt: connect,
    onGivenUp: () => becomes('noPath'),
  });

  const add = (id: string, { user_id: userId, state }: Omit<CallParticipant, 'participant'>) =>
    others.set(id, { userId, state, absentSince: others.get(id)?.absentSince });

  /** Participants or their media have changed. */
  function changed(): void {
    for (const id of playing.keys().toArray()) if (!others.has(id)) stopPlaying(id);
    for (const [id, other] of others) {
      play(id);
      watch(id, other);
    }
    onChange();
  }

  /** A participant whose own connection to the server fails is shown as without a path after a while. */
  function watch(id: string, other: Other): void {
    if (link !== 'connected' || media.has(id)) {
      other.absentSince = undefined;
    } else if (other.absentSince === undefined) {
      other.absentSince = clock.now();
      clock.after(connectWithinMs, onChange);
    }
  }

  /** The quality depends on the number of participants. */
  function countChanged(): void {
    media.refresh();
    changed();
  }

  function play(id: string): void {
    const voice = media.streamOf(id, 'voice');
    if (!voice || playing.get(id) === voice) return;
    playing.set(id, voice);
    sound.play(id, voice);
  }

  function stopPlaying(id: string): void {
    playing.delete(id);
    sound.stop(id);
  }

  function linkTo(id: string, { absentSince }: Other): Link {
    if (link !== 'connected' || media.has(id)) return link;
    return absentSince !== undefined && clock.now() - absentSince >= connectWithinMs ? 'noPath' : 'connecting';
  }

  function participantOf(id: string, other: Other): Participant {
    const { userId, state } = other;
    return {
      id,
      userId,
      isSelf: false,
      link: linkTo(id, other),
      muted: state.muted,
      listenOnly: state.listen_only,
      speaking: !state.muted && media.levelOf(id) > speechLevel,
      camera: state.camera ? media.streamOf(id, 'camera') : undefined,
      screen: state.screen ? media.streamOf(id, 'screen') : undefined,
    };
  }

  clock.after(connectWithinMs, () => {
    if (link === 'connecting' && !closing.signal.aborted) becomes('noPath');
  });

  return {
    count: () => others.size + 1,
    changed,
    connected() {
      reconnection.connected();
      link = 'connected';
      changed();
    },
    connecting(milliseconds) {
      if (reconnection.isRunning()) return;
      if (link !== 'connecting') becomes('reconnecting');
      reconnection.begin(milliseconds);
    },
    lost(milliseconds) {
      becomes('reconnecting');
      reconnection.begin(milliseconds);
    },
    joined(joined) {
      const present = new Set(joined.others.map(({ participant }) => participant));
      for (const id of others.keys().toArray()) if (!present.has(id)) others.delete(id);
      for (const other of joined.others) add(other.participant, other);
      countChanged();
    },
    receive(signal) {
      const other = others.get(signal.from);
      if (signal.kind === 'state' && other) others.set(signal.from, { ...other, state: signal.data });
      else if (signal.kind === 'joined') add(signal.from, signal.data);
      else if (signal.kind === 'left') others.delete(signal.from);
      if (signal.kind === 'joined' || signal.kind === 'left') countChanged();
      else changed();
    },
    others: () =>
      others
        .entries()
        .map(([id, other]) => participantOf(id, other))
        .toArray(),
    refresh: media.refresh,
    restart() {
      becomes('reconnecting');
      reconnection.beginAgain();
      return true;
    },
    close() {
      closing.abort();
      media.close();
      for (const id of playing.keys().toArray()) stopPlaying(id);
      others.clear();
    },
  };
}
