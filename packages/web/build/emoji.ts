/** The emoji picker's data, generated from emojibase-data (MIT) as one module that is loaded on demand. */
import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import own from 'emojibase-data/en/shortcodes/emojibase.json' with { type: 'json' };
import en from 'emojibase-data/en/compact.json' with { type: 'json' };
import ja from 'emojibase-data/ja/compact.json' with { type: 'json' };
import type { Emoji, Group } from 'virtual:emoji';
import type { Plugin } from 'vite';
import { emojiCodeOf } from '../../chat-server/src/emoji/names.ts';
import { zulipNames } from '../../chat-server/src/emoji/zulipNames.ts';
import { codeOf } from '../src/model/timeline/emojiCode.ts';
import { officeWords } from './emojiWords.ts';

/** The picker's categories by emojibase's group number (R2.22.2). Group 2 (skin tones and hair) is left out. */
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

/** A variation selector after a character that is shown as an emoji even without it. */
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
    const inNames = new Set(names.flatMap((name) => name.split(' ')));
    const emoji = entry.unicode.replace(needlessSelector, '');
    const ours = officeWords[emoji]?.split(' ') ?? [];
    const tags = [...(entry.tags ?? []), ...(other?.tags ?? []), ...ours].filter((tag) => !inNames.has(tag));
    table[group].push({ emoji, ja: names[0], en: names[1], tags: [...new Set(tags)].join(' ') });
  }
  return table;
}

type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

const lists: readonly Shortcodes[] = [iamcal, github, own];

export function emojiNames(): Record<string, string> {
  const names: Record<string, string> = {};
  const picked = new Set(
    Object.values(emojiTable())
      .flat()
      .map(({ emoji }) => codeOf(emoji)),
  );
  for (const name of [...lists.flatMap((list) => Object.values(list).flat()), ...Object.keys(zulipNames)]) {
    const code = emojiCodeOf(name);
    if (code !== undefined && picked.has(code)) names[code] ??= name;
  }
  return names;
}

/** The code of every name by which a message of Zulip can name an emoji. */
export function emojiCodes(): Record<string, string> {
  const names = [...lists.flatMap((list) => Object.values(list).flat()), ...Object.keys(zulipNames)];
  return Object.fromEntries(names.flatMap((name) => [[name, emojiCodeOf(name) ?? '']]).filter(([, code]) => code !== ''));
}

export function emojiData(): Plugin {
  const modules = new Map<string, () => unknown>([
    ['virtual:emoji', emojiTable],
    ['virtual:emoji-names', emojiNames],
    ['virtual:emoji-codes', emojiCodes],
  ]);
  return {
    name: 'engawa-emoji',
    resolveId: (id) => (modules.has(id) ? `\0${id}` : null),
    load: (id) => {
      const make = modules.get(id.replace(/^\0/, ''));
      return make ? `export default JSON.parse(${JSON.stringify(JSON.stringify(make()))})` : null;
    },
  };
}
