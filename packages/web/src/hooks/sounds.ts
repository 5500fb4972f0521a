/** Short sounds, made here: no file is fetched, and none can be missing. */
import { notificationSounds } from '@engawa/protocol';

export type Sound = (typeof notificationSounds)[number];

/** Of a tone: hertz, and seconds from the start at which it is struck and after which it has died away. */
interface Tone {
  readonly pitch: number;
  readonly at: number;
  readonly lasts: number;
}

const tones: Readonly<Record<Sound, readonly Tone[]>> = {
  chime: [
    { pitch: 783.99, at: 0, lasts: 0.5 },
    { pitch: 1046.5, at: 0.12, lasts: 0.7 },
  ],
  ding: [{ pitch: 1318.51, at: 0, lasts: 0.6 }],
  none: [],
};
const loudness = 0.16;

export function soundOf(name: string | undefined): Sound {
  return notificationSounds.find((each) => each === name) ?? 'chime';
}

let context: AudioContext | undefined;

/** Milliseconds after which a sound is of something that is past. */
const stale = 1000;

/** A page in which nobody has moved yet is not allowed to sound; it is silent then, also once it is allowed. */
export async function play(sound: Sound): Promise<void> {
  if (tones[sound].length === 0) return;
  context ??= new AudioContext();
  const asked = performance.now();
  // The browser answers when it allows it, which may be hours later.
  if (context.state === 'suspended') await context.resume();
  if (performance.now() - asked > stale) return;
  for (const { pitch, at, lasts } of tones[sound]) strike(context, pitch, context.currentTime + at, lasts);
}

function strike(audio: AudioContext, pitch: number, begin: number, lasts: number): void {
  const tone = new OscillatorNode(audio, { type: 'sine', frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loudness, begin + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + lasts);
  tone.connect(volume).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + lasts);
}
