/** The six categories of emoji (R2.22.2), that of custom emoji, and the search in them. */
import { fold } from '@engawa/folding';
import type { RealmEmoji } from '@engawa/protocol';
import type { Emoji, EmojiTable } from 'virtual:emoji';

const groups = ['people', 'nature', 'objects', 'places', 'symbols'] as const;
const categories = ['frequent', 'own', ...groups] as const;
export type Category = (typeof categories)[number];

export interface Section {
  readonly category: Category;
  readonly emoji: readonly Emoji[];
}

/** Custom emoji as entries of the picker. */
export function ownEmoji(all: Iterable<RealmEmoji>): Emoji[] {
  return [...all].map(({ name, source_url: url }) => {
    const spoken = name.replaceAll(/[._-]+/g, ' ');
    return { emoji: `:${name}:`, ja: spoken, en: spoken, tags: `${name} ${spoken}`, url };
  });
}

/** The sections that are not empty, in the order of the specification. Better matches come first within a section. */
export function sectionsOf(table: EmojiTable, frequent: readonly string[], query: string, own: readonly Emoji[] = []): Section[] {
  const { known, words } = indexOf(table);
  const wanted = wordsOf(query);
  const fitOf = (entry: Emoji) => Math.min(...wanted.map((word) => fit(word, words.get(entry) ?? wordsOf(entry.tags))));
  const found = (entries: readonly Emoji[]) =>
    entries
      .map((entry) => ({ entry, fits: fitOf(entry) }))
      .filter(({ fits }) => fits > 0)
      .toSorted((one, other) => (one.fits === other.fits ? 0 : other.fits - one.fits))
      .map(({ entry }) => entry);
  const used = frequent.map((emoji) => known.get(emoji)).filter((entry) => entry !== undefined);
  const sections = categories.map((category) => ({
    category,
    emoji: found(category === 'frequent' ? used : category === 'own' ? own : table[category]),
  }));
  return sections.filter(({ emoji }) => emoji.length > 0);
}

/** 3 if `word` is one of the words, 2 if one begins with it, 1 if one contains it, else 0. */
function fit(word: string, words: readonly string[]): number {
  if (words.includes(word)) return 3;
  if (words.some((each) => each.startsWith(word))) return 2;
  // Japanese has no spaces between words. Inside a Latin word a match is chance, such as cat in vacation.
  return !/^[ -~]+$/.test(word) && words.some((each) => each.includes(word)) ? 1 : 0;
}

function wordsOf(text: string): readonly string[] {
  return fold(text)
    .split(/[\s:,()“”]+/)
    .filter(Boolean);
}

interface Index {
  readonly known: ReadonlyMap<string, Emoji>;
  readonly words: ReadonlyMap<Emoji, readonly string[]>;
}

const indices = new WeakMap<EmojiTable, Index>();

function indexOf(table: EmojiTable): Index {
  const found = indices.get(table);
  if (found) return found;
  const all = groups.flatMap((group) => table[group]);
  const index = {
    known: new Map(all.map((entry) => [entry.emoji, entry])),
    words: new Map(all.map((entry) => [entry, wordsOf(`${entry.ja} ${entry.en} ${entry.tags}`)])),
  };
  indices.set(table, index);
  return index;
}
