/** A call that this tab has joined: its links, its signalling, and how it ends. */
import { callDetails, callPaths, type CallEndReason, type JoinedCall, type LeaveReason } from '@engawa/protocol/calls';
import type { ModelContext } from '../context.ts';
import { cameraQuality } from './ladder.ts';
import { createLivekitLinks } from './livekit.ts';
import type { Media } from './media.ts';
import type { CallLinks } from './links.ts';
import { createMesh } from './mesh.ts';
import type { CallEnd, Participant } from './ownCall.ts';
import { createSfuLinks } from './sfu.ts';
import { askCall, startSignalling } from './signalling.ts';
import type { Sound } from './sound.ts';
import type { CallsState } from './state.ts';
import { keepAwake } from './wakeLock.ts';

export interface ActiveCall {
  readonly callId: string;
  readonly participant: () => string;
  readonly participants: () => readonly Participant[];
  readonly serverAway: () => boolean;
  readonly throughServer: () => boolean;
  /** False if there are too many participants for cameras. */
  readonly camerasAllowed: () => boolean;
  /** The member's tracks have changed. */
  mediaChanged(): void;
  reconnect(participant: string): void;
  /** Reports to the server that the member leaves, also while the page is being closed. The links stay open. */
  leave(): void;
  close(): void;
}

interface ActiveCallOptions {
  readonly context: ModelContext<CallsState>;
  readonly joined: JoinedCall;
  readonly media: Media;
  readonly sound: Sound;
  readonly onChange: () => void;
  readonly onEnd: (how: CallEnd) => void;
}

export function startCall({ context, joined: first, media, sound, onChange, onEnd }: ActiveCallOptions): ActiveCall {
  const { clock, environment } = context;
  const callId = first.call.id;
  let { participant } = first;
  let isServerAway = false;
  let isClosed = false;
  const letSleep = keepAwake(environment.log);

  let { engine } = first;
  let links = createLinks();

  function createLinks(): CallLinks {
    const create = { mesh: createMesh, sfu: createSfuLinks, livekit: createLivekitLinks }[engine];
    return create({
      clock,
      sound,
      tracks: media.tracks,
      send: (signal) => signalling.send(signal),
      rejoin: () => signalling.rejoin(),
      onChange: participantsChanged,
      log: environment.log,
    });
  }

  const camerasAllowed = () => cameraQuality(links.others().length + 1, engine) !== undefined;

  function participantsChanged(): void {
    if (isClosed) return;
    if (media.state().camera && !camerasAllowed()) void media.setCamera(false);
    onChange();
  }

  const signalling = startSignalling(context, {
    callId,
    joined: first,
    state: media.state,
    onSignal(signal) {
      if (signal.kind === 'left' && signal.from === participant) return void finish(signal.data.reason);
      const shared = () => links.others().some(({ id, screen }) => id === signal.from && screen);
      const sharedBefore = shared();
      links.receive(signal);
      // One screen at a time: the newest one.
      if (!sharedBefore && shared() && media.state().screen) void media.setScreen(false);
    },
    onJoined(joined) {
      if (joined.participant !== participant || joined.engine !== engine) {
        links.close();
        ({ participant, engine } = joined);
        links = createLinks();
      }
      links.joined(joined);
    },
    onServerAway(away) {
      if (isServerAway === away) return;
      isServerAway = away;
      onChange();
    },
    onOver: (status) => void (status === 404 ? end('removed') : status === 410 ? finish('ended') : end('failed')),
  });

  function end(how: CallEnd): void {
    if (isClosed) return;
    close();
    onEnd(how);
  }

  async function finish(reason: LeaveReason): Promise<void> {
    if (reason === 'moved' || reason === 'removed') return end(reason);
    const details = await context.attempt(() => askCall(context, 'GET', callPaths.call(callId), callDetails));
    end('answer' in details ? endOf(details.answer.call.reason) : 'over');
  }

  function close(): void {
    isClosed = true;
    letSleep();
    signalling.stop();
    links.close();
  }

  try {
    links.joined(first);
  } catch (error) {
    // For example, the address of the TURN server is malformed.
    environment.log('call_start_failed', error);
    end('failed');
  }

  return {
    callId,
    participant: () => participant,
    participants: () => links.others(),
    serverAway: () => isServerAway,
    throughServer: () => engine !== 'mesh',
    camerasAllowed,
    mediaChanged() {
      links.refresh();
      signalling.send({ kind: 'state', data: media.state() });
    },
    reconnect(other) {
      // The other side makes the offers of this pair. A state without news asks it for one.
      if (!links.restart(other)) signalling.send({ kind: 'state', data: media.state() });
    },
    leave: () => void navigator.sendBeacon(environment.site + signalling.leaveAddress),
    close,
  };
}

function endOf(reason: CallEndReason | null): CallEnd {
  return reason === 'unanswered' || reason === 'declined' || reason === 'removed' ? reason : 'over';
}
