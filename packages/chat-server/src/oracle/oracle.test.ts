import { describe, expect, it } from 'vitest';
import { runHistory } from './history.ts';

/** `ORACLE_SEEDS=1-200` makes a long run. `ORACLE_SEEDS=17` repeats a failed seed. */
const [first = 1, last = first] = (process.env['ORACLE_SEEDS'] ?? '1-8').split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
const steps = 400;

/** How often each action happened in all seeds. */
const counts = new Map<string, number>();

const inQueues = ['register', 'delete queue', 'poll take', 'poll look', 'poll twice', 'wait', 'refetch'];
const toMessages = ['send', 'send again', 'edit', 'delete', 'react', 'change flags', 'fetch', 'get receipts', 'count readers'];
const toStreams = ['subscribe', 'create stream', 'unsubscribe', 'close stream'];
const toMembers = [
  'sign in',
  'change alert words',
  'change settings',
  'change receipt audience',
  'role changed',
  'create group',
  'change group',
  'deactivate',
  'reactivate',
];
const otherwise = ['advance clock', 'restart', 'compare', 'compare a message'];
const ofMessages = ['message', 'update_message', 'delete_message', 'update_message_flags', 'reaction'];
const ofTheRest = ['subscription', 'stream', 'realm_user', 'user_group', 'realm'];
const ofSettings = ['alert_words', 'user_settings'].map((type) => `receive ${type}`);
const byRefusal = ['send', 'edit', 'delete', 'react', 'change flags', 'get receipts', 'subscribe', 'unsubscribe', 'change role'];
const byRareRefusal = ['change group', 'fetch', 'register', 'close stream', 'deactivate', 'reactivate'];

describe('A random history', () => {
  it.each(seeds)(
    '[R2.25.2] [R4.4] [R4.6] [R4.8.2] [R6.1] After random calls, every member sees exactly what a simple model of the chat predicts (seed %i)',
    async (seed) => {
      const run = await runHistory(seed, steps);
      for (const [what, times] of run.counts) counts.set(what, (counts.get(what) ?? 0) + times);
      // Guards against a history that contains too little.
      expect(run.model.messages.size).toBeGreaterThan(50);
    },
    60_000,
  );

  it.runIf(seeds.length >= 8).each([
    ['calls about queues', inQueues, 1],
    ['calls about messages', toMessages, 5],
    ['calls about streams', toStreams, 1],
    ['calls about members', toMembers, 1],
    ['other steps', otherwise, 1],
    ['events', [...ofMessages, ...ofTheRest].map((type) => `receive ${type}`), 1],
    ['events about settings', ofSettings, 0.5],
    ['changes of the users whom guests see', ['receive realm_user add', 'receive realm_user remove'], 0.3],
    ['refused calls', byRefusal.map((action) => `${action} refused`), 1],
    ['rarely refused calls', byRareRefusal.map((action) => `${action} refused`), 0.1],
    ['calls of deactivated users', ['call while deactivated'], 0.5],
  ])('The random calls of all seeds include enough of %s', (_, all, timesPerSeed) => {
    const rare = all.filter((what) => (counts.get(what) ?? 0) < timesPerSeed * seeds.length);
    expect(rare).toEqual([]);
  });
});
