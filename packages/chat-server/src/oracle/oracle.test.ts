import { describe, expect, it } from 'vitest';
import { history } from './history.ts';

/** `ORACLE_SEEDS=1-200` for a long run, `ORACLE_SEEDS=17` to repeat one that failed. */
const [first = 1, last = first] = (process.env['ORACLE_SEEDS'] ?? '1-8').split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
const steps = 350;

/** How often each thing happened, in all seeds together. */
const tally = new Map<string, number>();

const inQueues = ['register', 'let go', 'poll take', 'poll look', 'poll twice', 'wait', 'ask anew'];
const toMessages = ['send', 'send again', 'edit', 'delete', 'react', 'mark', 'fetch', 'ask who read', 'count readers'];
const toStreams = ['subscribe', 'make stream', 'unsubscribe', 'archive'];
const toMembers = ['sign in', 'alert', 'choose', 'show receipts', 'role changed', 'deactivate', 'reactivate'];
const otherwise = ['pass', 'restart', 'compare', 'compare a message'];
const ofMessages = ['message', 'update_message', 'delete_message', 'update_message_flags', 'reaction'];
const ofTheRest = ['subscription', 'stream', 'realm_user', 'alert_words', 'user_settings', 'realm'];
const byRefusal = ['send', 'edit', 'delete', 'react', 'mark', 'ask who read', 'subscribe', 'unsubscribe', 'change role'];
const byRareRefusal = ['fetch', 'register', 'archive', 'deactivate', 'reactivate'];

describe('a random history', () => {
  it.each(seeds)(
    '[R2.25.2] [R4.4] [R4.6] [R4.8.2] [R6.1] is for every member what a model with a row per recipient says: %i',
    async (seed) => {
      const run = await history(seed, steps);
      for (const [what, times] of run.tally) tally.set(what, (tally.get(what) ?? 0) + times);
      // A history that holds nothing would prove nothing.
      expect(run.model.messages.size).toBeGreaterThan(50);
    },
    60_000,
  );

  it.runIf(seeds.length >= 8).each([
    ['in queues', inQueues, 1],
    ['to messages', toMessages, 5],
    ['to streams', toStreams, 1],
    ['to members', toMembers, 1],
    ['otherwise', otherwise, 1],
    ['in events', [...ofMessages, ...ofTheRest].map((type) => `hear ${type}`), 1],
    ['that is refused', byRefusal.map((does) => `${does} refused`), 1],
    ['that is refused now and then', byRareRefusal.map((does) => `${does} refused`), 0.1],
    ['to those who are turned away', ['turn away'], 0.5],
  ])('holds enough of what happens %s', (_, all, timesPerSeed) => {
    const rare = all.filter((what) => (tally.get(what) ?? 0) < timesPerSeed * seeds.length);
    expect(rare).toEqual([]);
  });
});
