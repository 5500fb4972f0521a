/** Synthesised notification sounds, so that no file has to be fetched. */
import { notificationSounds } from '@engawa/protocol';

export type Sound = (typeof notificationSounds)[number];

/** Frequency in hertz; start and end in seconds from the beginning of the sound. */
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
/** Two calm pairs, so that a call differs from a message. */
const ringTones: readonly Tone[] = [
  { pitch: 587.33, at: 0, lasts: 0.5 },
  { pitch: 783.99, at: 0.16, lasts: 0.7 },
  { pitch: 587.33, at: 0.9, lasts: 0.5 },
  { pitch: 783.99, at: 1.06, lasts: 0.7 },
];
const loudness = 0.16;

export function soundOf(name: string | undefined): Sound {
  return notificationSounds.find((each) => each === name) ?? 'chime';
}

let context: AudioContext | undefined;

const staleMs = 1000;

/** A browser blocks sounds until the member uses the page. A sound that is late by then is skipped. */
export const play = (sound: Sound): Promise<void> => playTones(tones[sound]);

/** The sound of an incoming call, once. */
export const playRing = (): Promise<void> => playTones(ringTones);

async function playTones(played: readonly Tone[]): Promise<void> {
  if (played.length === 0) return;
  context ??= new AudioContext();
  const asked = performance.now();
  // `resume` settles when the browser allows sounds, perhaps hours later.
  if (context.state === 'suspended') await context.resume();
  if (performance.now() - asked > staleMs) return;
  for (const { pitch, at, lasts } of played) strike(context, pitch, context.currentTime + at, lasts);
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
