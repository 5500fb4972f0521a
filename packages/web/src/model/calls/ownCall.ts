/** The call of this tab, as the screens show it, and what they can do with it. */
import type { CallDetails } from '@engawa/protocol/calls';
import type { Failure } from '../connection/failure.ts';
import type { ConversationKey } from '../streams/conversation.ts';

export type CallKind = 'audio' | 'video';

export type DeviceProblem =
  | 'insecure'
  | 'unsupported'
  | 'refused'
  | 'cameraRefused'
  | 'noMicrophone'
  | 'noCamera'
  | 'microphoneInUse'
  | 'cameraInUse';

/** `noPath`: nothing connected for 15 s, or a lost connection did not come back within 30 s. */
export type Link = 'connecting' | 'connected' | 'reconnecting' | 'noPath';

/** The sound of a participant is played by the model. */
export interface Participant {
  readonly id: string;
  readonly userId: number;
  readonly isSelf: boolean;
  readonly link: Link;
  readonly muted: boolean;
  readonly listenOnly: boolean;
  readonly speaking: boolean;
  readonly camera: MediaStream | undefined;
  readonly screen: MediaStream | undefined;
}

/**
 * `asking`: the browser asks for the devices. `ready`: preview and level are shown, the member has not joined. `waiting`: nobody
 * else is in the call yet.
 */
export type CallPhase = 'asking' | 'ready' | 'joining' | 'waiting' | 'inCall' | 'ended';

export type CallEnd = 'unanswered' | 'declined' | 'moved' | 'full' | 'removed' | 'over' | 'failed';

export interface OwnCall {
  readonly conversation: ConversationKey;
  readonly kind: CallKind;
  /** Undefined until the member has joined. */
  readonly callId: string | undefined;
  readonly phase: CallPhase;
  /** The member accepted the call while it rang, so it asks nothing more unless a device is missing. */
  readonly isAccepted: boolean;
  readonly problems: readonly DeviceProblem[];
  /** The member's own camera. */
  readonly preview: MediaStream | undefined;
  /** The loudness of the member's microphone, 0 to 1. */
  level(): number;
  readonly participants: readonly Participant[];
  readonly muted: boolean;
  readonly camera: boolean;
  readonly screen: boolean;
  /** The member joined to listen only. Someone whose microphone was unplugged may still use a camera, or another microphone. */
  readonly listensOnly: boolean;
  /** False if there are too many participants for cameras. */
  readonly camerasAllowed: boolean;
  readonly serverAway: boolean;
  /** The media go through a server, not from browser to browser. */
  readonly throughServer: boolean;
  /** The names of an unplugged device and of the one that replaces it, if there is one. */
  readonly deviceLost: { readonly lost: string; readonly now: string | undefined } | undefined;
  /** Why it ended, unless the member left. */
  readonly ended: CallEnd | undefined;
  /** Another tab or device holds the member's call, so joining needs `move`. */
  readonly elsewhere: 'otherDevice' | 'otherTab' | undefined;
  /** When the call began, in unix milliseconds. */
  readonly since: number | undefined;
}

export interface CallDevice {
  readonly kind: 'microphone' | 'camera' | 'speaker';
  readonly id: string;
  /** Empty until the browser allows the device. */
  readonly label: string;
  readonly chosen: boolean;
}

export interface CallCommands {
  /** Asks for the devices. Joining is a second step. Does nothing while this tab is in a call. */
  open(conversation: ConversationKey, kind: CallKind, how?: { readonly accepts?: boolean }): void;
  join(how: { readonly listenOnly?: boolean; readonly move?: boolean }): Promise<Failure | undefined>;
  /** Leaves the call, or closes what is shown before joining or after the end. */
  leave(): void;
  dismissMissed(callId: string): void;
  decline(callId: string): Promise<Failure | undefined>;
  /** Of an ongoing call or one that has ended. */
  details(callId: string): Promise<CallDetails | Failure>;
  /** Rings again those of them who are not in the call. */
  ring(userIds: readonly number[]): Promise<Failure | undefined>;
  setMuted(on: boolean): void;
  setCamera(on: boolean): Promise<void>;
  setScreen(on: boolean): Promise<void>;
  /** Push to talk: the microphone is on while it is held. */
  talk(held: boolean): void;
  devices(): Promise<readonly CallDevice[]>;
  choose(kind: CallDevice['kind'], deviceId: string): Promise<void>;
  flipCamera(): Promise<void>;
  testSound(): void;
  /** Plays three seconds of the microphone. */
  recordAndPlay(): Promise<void>;
  reconnect(participant: string): void;
}
