import { expect, it } from 'vitest';
import { createSpeech } from './speech.ts';

it('[R2.10] A pause between words does not end the speech of a participant, and silence does', () => {
  let now = 1000;
  const speech = createSpeech({ now: () => now });
  const heard = (loud: readonly string[], at: number) => {
    now = at;
    return { changed: speech.update(loud), ken: speech.isSpeaking('ken'), mai: speech.isSpeaking('mai') };
  };
  expect(heard([], 1000)).toEqual({ changed: false, ken: false, mai: false });
  expect(heard(['ken'], 1250)).toEqual({ changed: true, ken: true, mai: false });
  expect(heard(['mai'], 1900)).toEqual({ changed: true, ken: true, mai: true });
  expect(heard(['mai'], 1950)).toEqual({ changed: true, ken: false, mai: true });
  expect(heard([], 2649)).toEqual({ changed: false, ken: false, mai: true });
  expect(heard([], 2650)).toEqual({ changed: true, ken: false, mai: false });
});
