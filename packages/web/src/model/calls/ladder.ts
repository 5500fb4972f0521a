import { callLimits, type CallEngine } from '@engawa/protocol/calls';

/** The limits of a picture on one link. Bits and frames per second; `height`: lines. */
export interface Quality {
  readonly height: number;
  readonly frameRate: number;
  readonly bitrate: number;
}

/**
 * The camera to each of the others; undefined if there are too many participants for cameras. Through a server, a camera is sent
 * once, so that all participants may have one; then what each receives sets the limit.
 */
export function cameraQuality(participants: number, engine: CallEngine = 'mesh'): Quality | undefined {
  if (participants <= 2) return { height: 720, frameRate: 24, bitrate: 1_200_000 };
  if (participants <= 4) return { height: 360, frameRate: 20, bitrate: 500_000 };
  if (participants > callLimits.cameras && engine === 'mesh') return undefined;
  if (participants <= callLimits.participants.sfu) return { height: 180, frameRate: 15, bitrate: 150_000 };
  return { height: 180, frameRate: 8, bitrate: 80_000 };
}

export function screenQuality(participants: number): Quality {
  return participants <= 4
    ? { height: 1080, frameRate: 10, bitrate: 1_500_000 }
    : { height: 720, frameRate: 5, bitrate: 600_000 };
}

/** From this many participants on, a member joins muted. */
export const mutedFrom = 5;

/** How many times smaller a picture is sent. A phone held upright swaps width and height. */
export function scaleDown({ height: lines }: Quality, { width, height }: MediaTrackSettings): number {
  const shorter = Math.min(width ?? Infinity, height ?? Infinity);
  return Number.isFinite(shorter) ? Math.max(1, shorter / lines) : 1;
}

/** Limits what a sender sends of its track. */
export async function applyQuality(
  sender: RTCRtpSender | undefined,
  track: MediaStreamTrack | null,
  quality: Quality | undefined,
): Promise<void> {
  const parameters = sender?.getParameters();
  const [encoding] = parameters?.encodings ?? [];
  if (!sender || !parameters || !encoding || !track || !quality) return;
  encoding.maxBitrate = quality.bitrate;
  encoding.maxFramerate = quality.frameRate;
  encoding.scaleResolutionDownBy = scaleDown(quality, track.getSettings());
  await sender.setParameters(parameters);
}
