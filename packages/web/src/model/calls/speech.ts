/** The speaking participants, by the loudness of their voices. */
import type { Clock } from '@engawa/client';

/** A pause between two words does not end the speech. Milliseconds. */
const pauseMs = 700;

export interface Speech {
  /** @returns whether somebody has begun or stopped to speak. */
  update(loud: readonly string[]): boolean;
  isSpeaking(participant: string): boolean;
}

export function createSpeech(clock: Pick<Clock, 'now'>): Speech {
  const loudAt = new Map<string, number>();
  let speaking: ReadonlySet<string> = new Set();
  return {
    update(loud) {
      const now = clock.now();
      for (const participant of loud) loudAt.set(participant, now);
      for (const [participant, at] of loudAt) if (now - at >= pauseMs) loudAt.delete(participant);
      const before = speaking;
      speaking = new Set(loudAt.keys());
      return before.symmetricDifference(speaking).size > 0;
    },
    isSpeaking: (participant) => speaking.has(participant),
  };
}
