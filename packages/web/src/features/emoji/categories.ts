/** R2.22.2: the six categories, what is in them, and what of it a search finds. */
import type { Emoji, EmojiTable } from 'virtual:emoji';
import { fold } from '../../i18n/fold.ts';

const groups = ['people', 'nature', 'objects', 'places', 'symbols'] as const;
export const categories = ['frequent', ...groups] as const;
export type Category = (typeof categories)[number];

export interface Section {
  readonly category: Category;
  readonly emoji: readonly Emoji[];
}

/** The sections that hold something, in the spec's order. */
export function sectionsOf(table: EmojiTable, frequent: readonly string[], query: string): Section[] {
  const { known, words } = indexOf(table);
  const wanted = fold(query).split(/\s+/).filter(Boolean);
  const finds = (entry: Emoji) => wanted.every((word) => words.get(entry)?.includes(word));
  const used = frequent.map((emoji) => known.get(emoji)).filter((entry) => entry !== undefined);
  const sections = categories.map((category) => ({
    category,
    emoji: (category === 'frequent' ? used : table[category]).filter(finds),
  }));
  return sections.filter(({ emoji }) => emoji.length > 0);
}

interface Index {
  readonly known: ReadonlyMap<string, Emoji>;
  /** Names and tags as they are compared. */
  readonly words: ReadonlyMap<Emoji, string>;
}

const indices = new WeakMap<EmojiTable, Index>();

function indexOf(table: EmojiTable): Index {
  const found = indices.get(table);
  if (found) return found;
  const all = groups.flatMap((group) => table[group]);
  const index = {
    known: new Map(all.map((entry) => [entry.emoji, entry])),
    words: new Map(all.map((entry) => [entry, fold(`${entry.ja} ${entry.en} ${entry.tags}`)])),
  };
  indices.set(table, index);
  return index;
}
