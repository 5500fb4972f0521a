/**
 * The picker's data, made from emojibase-data (MIT) when the page is built: one lazily loaded chunk that holds every
 * emoji of the spec's groups, with its names and what finds it, in Japanese and English.
 */
import en from 'emojibase-data/en/compact.json' with { type: 'json' };
import ja from 'emojibase-data/ja/compact.json' with { type: 'json' };
import type { Emoji, Group } from 'virtual:emoji';
import type { Plugin } from 'vite';

/** R2.22.2. Where emojibase's group numbers belong; 2 (skin tones and hair alone) belongs nowhere. */
const groupOf: Readonly<Record<number, Group>> = {
  0: 'people',
  1: 'people',
  3: 'nature',
  4: 'objects',
  5: 'places',
  6: 'objects',
  7: 'objects',
  8: 'symbols',
  9: 'symbols',
};

/** The selector that asks for a picture, where the character is one anyway. */
const needlessSelector = /(?<=\p{Emoji_Presentation})\ufe0f/gu;

export function emojiTable(): Record<Group, Emoji[]> {
  const table: Record<Group, Emoji[]> = { people: [], nature: [], objects: [], places: [], symbols: [] };
  const english = new Map(en.map((entry) => [entry.hexcode, entry]));
  const inOrder = ja.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
  for (const entry of inOrder) {
    const group = entry.group === undefined ? undefined : groupOf[entry.group];
    if (!group) continue;
    const other = english.get(entry.hexcode);
    const names = [entry.label, other?.label ?? entry.label] as const;
    const isInName = (tag: string) => names.some((name) => name.includes(tag));
    const tags = [...(entry.tags ?? []), ...(other?.tags ?? [])].filter((tag) => !isInName(tag));
    const emoji = entry.unicode.replace(needlessSelector, '');
    table[group].push({ emoji, ja: names[0], en: names[1], tags: [...new Set(tags)].join(' ') });
  }
  return table;
}

/** Answers `import('virtual:emoji')`. */
export function emojiData(): Plugin {
  return {
    name: 'engawa-emoji',
    resolveId: (id) => (id === 'virtual:emoji' ? '\0virtual:emoji' : null),
    load: (id) =>
      id === '\0virtual:emoji' ? `export default JSON.parse(${JSON.stringify(JSON.stringify(emojiTable()))})` : null,
  };
}
