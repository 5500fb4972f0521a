/** The member's own tracks in a call, and what they are told about their devices. */
import type { Clock } from '@engawa/client';
import { mutedFrom } from './ladder.ts';
import type { Devices, Granted } from './devices.ts';
import type { CallKind, DeviceProblem, OwnCall } from './ownCall.ts';
import type { Tracks } from './peer.ts';
import type { Sound } from './sound.ts';

export type Media = ReturnType<typeof createMedia>;

/** Phones take the microphone away, for example for a telephone call. Some return it only when asked for it again. */
const interruptedMs = 3000;

interface MediaOptions {
  readonly clock: Clock;
  readonly devices: Devices;
  readonly sound: Sound;
  /** Called when the sent or shown media have changed. */
  readonly onChange: () => void;
}

export function createMedia({ devices, sound, clock, onChange }: MediaOptions) {
  let microphone: MediaStreamTrack | undefined;
  let camera: MediaStreamTrack | undefined;
  let screen: MediaStreamTrack | undefined;
  let preview: MediaStream | undefined;
  let shared: MediaStream | undefined;
  let problems: readonly DeviceProblem[] = [];
  let deviceLost: OwnCall['deviceLost'];
  let listensOnly = false;
  let muted = false;
  let talks = false;
  let facesAway = false;
  const closing = new AbortController();
  const { signal: closed } = closing;

  const enable = () => {
    if (microphone) microphone.enabled = !muted || talks;
  };

  /** If a device is unplugged, the browser's default one takes its place. */
  const replaceWhenEnded = (lost: MediaStreamTrack, kind: 'microphone' | 'camera') => {
    const isCurrent = () => !closed.aborted && lost === (kind === 'microphone' ? microphone : camera);
    lost.addEventListener('ended', () => {
      if (!isCurrent()) return;
      void (async () => {
        const found = await devices[kind]();
        // The member may have turned the camera off meanwhile.
        if (!isCurrent()) return found.track?.stop();
        if (kind === 'microphone') takeMicrophone(found.track);
        else takeCamera(found.track);
        problems = found.problems;
        deviceLost = { lost: lost.label, now: found.track?.label };
        onChange();
      })();
    });
  };

  const renewIfInterrupted = () => {
    if (microphone?.muted && document.visibilityState === 'visible') void media.renew('microphone');
  };
  document.addEventListener('visibilitychange', renewIfInterrupted, { signal: closed });

  function takeMicrophone(track: MediaStreamTrack | undefined): void {
    const before = microphone;
    microphone = track;
    before?.stop();
    if (track) replaceWhenEnded(track, 'microphone');
    track?.addEventListener('mute', () => clock.after(interruptedMs, renewIfInterrupted));
    sound.listenTo(track);
    enable();
  }

  function takeCamera(track: MediaStreamTrack | undefined): void {
    const before = camera;
    camera = track;
    before?.stop();
    preview = track && new MediaStream([track]);
    if (track) replaceWhenEnded(track, 'camera');
  }

  function takeScreen(track: MediaStreamTrack | undefined): void {
    const before = screen;
    screen = track;
    before?.stop();
    shared = track && new MediaStream([track]);
    track?.addEventListener('ended', () => {
      if (track !== screen) return;
      takeScreen(undefined);
      onChange();
    });
  }

  const media = {
    state: () => ({
      muted: muted && !talks,
      camera: camera !== undefined,
      screen: screen !== undefined,
      listen_only: microphone === undefined,
    }),
    shown: () => ({
      muted,
      camera: camera !== undefined,
      screen: screen !== undefined,
      listensOnly,
      preview,
      shared,
      problems,
      deviceLost,
    }),
    tracks: (): Tracks => ({ voice: microphone ?? null, camera: camera ?? null, screen: screen ?? null }),
    hasMicrophone: () => microphone !== undefined,
    async open(kind: CallKind): Promise<void> {
      const granted: Granted = await devices.acquire(kind);
      if (closed.aborted) {
        granted.microphone?.stop();
        granted.camera?.stop();
        return;
      }
      takeMicrophone(granted.microphone);
      takeCamera(granted.camera);
      ({ problems } = granted);
    },
    /** A member who only listens gives the devices back. */
    listenOnly(): void {
      listensOnly = true;
      takeMicrophone(undefined);
      takeCamera(undefined);
      problems = [];
    },
    /** In a larger call a member joins muted. */
    enter(participants: number): void {
      if (participants >= mutedFrom) media.setMuted(true);
    },
    setMuted(on: boolean): void {
      muted = on;
      enable();
      onChange();
    },
    talk(held: boolean): void {
      talks = held;
      enable();
      onChange();
    },
    talks: () => talks,
    async setCamera(on: boolean, facingMode?: string): Promise<void> {
      const found = on ? await devices.camera(facingMode) : { track: undefined, problems: [] };
      if (closed.aborted) return found.track?.stop();
      takeCamera(found.track);
      ({ problems } = found);
      onChange();
    },
    async flipCamera(): Promise<void> {
      facesAway = !facesAway;
      // A phone opens only one camera at a time.
      takeCamera(undefined);
      await media.setCamera(true, facesAway ? 'environment' : 'user');
    },
    async setScreen(on: boolean): Promise<void> {
      const track = on ? await devices.screen() : undefined;
      if (closed.aborted) return track?.stop();
      takeScreen(track);
      onChange();
    },
    /** Takes the chosen device. */
    async renew(kind: 'microphone' | 'camera'): Promise<void> {
      if (kind === 'camera') return camera && media.setCamera(true);
      const found = await devices.microphone();
      if (closed.aborted) return found.track?.stop();
      takeMicrophone(found.track);
      ({ problems } = found);
      onChange();
    },
    close(): void {
      closing.abort();
      for (const track of [microphone, camera, screen]) track?.stop();
      sound.listenTo(undefined);
    },
  };
  return media;
}
