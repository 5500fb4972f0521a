import { countEmojiUse, emojiUsesUntilHalved, maxFrequentEmoji } from '@engawa/protocol';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { changeSetting } from './change.ts';
import { settings } from './store.ts';

type Counts = Readonly<Record<string, number>>;

export function emojiUseRoute(database: Database, log: EventLog): Route {
  return memberRoute(countEmojiUse, ({ emoji }, { member }) =>
    database.write((tx) => {
      const { id } = memberNow(tx, member);
      changeSetting(tx, log, id, 'frequent_emoji', used(settings.get(tx, id, 'frequent_emoji'), emoji));
    }),
  );
}

/** Counts one use: the highest count first, then the latest use. A new emoji replaces the last. Many uses halve all counts. */
export function used(before: Counts, emoji: string): Counts {
  const counted = new Map(Object.entries(before));
  const one: [string, number] = [emoji, (counted.get(emoji) ?? 0) + 1];
  counted.delete(emoji);
  const counts = [one, ...[...counted].slice(0, maxFrequentEmoji - 1)].toSorted(([, a], [, b]) => b - a);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total < emojiUsesUntilHalved) return Object.fromEntries(counts);
  return Object.fromEntries(counts.map(([each, count]) => [each, Math.ceil(count / 2)]));
}
