/** Microphone, camera, screen and speaker: asking for them, and the member's choice, which this browser remembers. */
import { z } from 'zod/mini';
import type { UnsentStorage } from '../browserStorage.ts';
import type { CallDevice, CallKind, DeviceProblem } from './ownCall.ts';

const storageKey = 'engawa:call-devices';
const choice = z.partial(z.object({ microphone: z.string(), camera: z.string(), speaker: z.string() }));
export type DeviceChoice = z.output<typeof choice>;

const kinds = { audioinput: 'microphone', videoinput: 'camera', audiooutput: 'speaker' } as const;

export interface Granted {
  readonly microphone: MediaStreamTrack | undefined;
  readonly camera: MediaStreamTrack | undefined;
  readonly problems: readonly DeviceProblem[];
}

export type Devices = ReturnType<typeof createDevices>;

export function createDevices(storage: UnsentStorage | undefined) {
  let chosen = read(storage);

  const microphone = () => ({
    ...prefer(chosen.microphone),
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
  });
  const camera = (facingMode?: string) => ({
    ...(facingMode === undefined ? prefer(chosen.camera) : { facingMode }),
    width: { ideal: 1280 },
    height: { ideal: 720 },
    frameRate: { ideal: 24 },
  });

  /** Some browsers grant one device and not the other, so a refused pair is asked for one by one. */
  async function both(): Promise<Granted | undefined> {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: microphone(), video: camera() });
      return { microphone: stream.getAudioTracks()[0], camera: stream.getVideoTracks()[0], problems: [] };
    } catch (error) {
      if (error instanceof DOMException) return undefined;
      throw error;
    }
  }

  return {
    /** Asks for the devices of a call. What is missing is named in `problems`. */
    async acquire(kind: CallKind): Promise<Granted> {
      if (!('RTCPeerConnection' in globalThis)) return none('unsupported');
      if (!isSecureContext || !('mediaDevices' in navigator)) return none('insecure');
      const pair = kind === 'video' ? await both() : undefined;
      if (pair) return pair;
      const heard = await attempt(() => one({ audio: microphone() }), microphoneProblem);
      if (kind === 'audio') return { microphone: heard.track, camera: undefined, problems: heard.problems };
      const seen = await attempt(() => one({ video: camera() }), cameraProblem);
      return { microphone: heard.track, camera: seen.track, problems: [...heard.problems, ...seen.problems] };
    },
    microphone: () => attempt(() => one({ audio: microphone() }), microphoneProblem),
    camera: (facingMode?: string) => attempt(() => one({ video: camera(facingMode) }), cameraProblem),
    /** Undefined if the member closes the browser's question. */
    async screen(): Promise<MediaStreamTrack | undefined> {
      try {
        const stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: { max: 10 } }, audio: false });
        const [track] = stream.getVideoTracks();
        if (track) track.contentHint = 'detail';
        return track;
      } catch (error) {
        if (error instanceof DOMException) return undefined;
        throw error;
      }
    },
    async list(): Promise<readonly CallDevice[]> {
      if (!('mediaDevices' in navigator)) return [];
      const found = await navigator.mediaDevices.enumerateDevices();
      return found
        .filter(({ deviceId, kind }) => deviceId !== '' && (kind !== 'audiooutput' || 'setSinkId' in HTMLMediaElement.prototype))
        .map(({ deviceId, kind, label }) => ({
          kind: kinds[kind],
          id: deviceId,
          label,
          chosen: chosen[kinds[kind]] === deviceId,
        }));
    },
    choose(kind: CallDevice['kind'], id: string): void {
      chosen = { ...chosen, [kind]: id };
      try {
        storage?.setItem(storageKey, JSON.stringify(chosen));
      } catch (error) {
        // A full storage only forgets the choice.
        if (!(error instanceof DOMException)) throw error;
      }
    },
    speaker: () => chosen.speaker,
  };
}

async function one(constraints: MediaStreamConstraints): Promise<MediaStreamTrack | undefined> {
  return (await navigator.mediaDevices.getUserMedia(constraints)).getTracks()[0];
}

function none(problem: DeviceProblem): Granted {
  return { microphone: undefined, camera: undefined, problems: [problem] };
}

async function attempt(ask: () => Promise<MediaStreamTrack | undefined>, problemOf: (name: string) => DeviceProblem) {
  try {
    return { track: await ask(), problems: [] };
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return { track: undefined, problems: [problemOf(error.name)] };
  }
}

const isRefusal = (name: string) => name === 'NotAllowedError' || name === 'SecurityError';
const isMissing = (name: string) => name === 'NotFoundError' || name === 'OverconstrainedError';

/** @param name of the DOMException of `getUserMedia`. */
export function microphoneProblem(name: string): DeviceProblem {
  if (isRefusal(name)) return 'refused';
  return isMissing(name) ? 'noMicrophone' : 'microphoneInUse';
}

export function cameraProblem(name: string): DeviceProblem {
  if (isRefusal(name)) return 'cameraRefused';
  return isMissing(name) ? 'noCamera' : 'cameraInUse';
}

/** `ideal`, because a remembered device may be unplugged. */
function prefer(deviceId: string | undefined) {
  return deviceId === undefined ? {} : { deviceId: { ideal: deviceId } };
}

function read(storage: UnsentStorage | undefined): DeviceChoice {
  try {
    return choice.safeParse(JSON.parse(storage?.getItem(storageKey) ?? '{}')).data ?? {};
  } catch (error) {
    // Malformed JSON is treated as if nothing were stored.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
