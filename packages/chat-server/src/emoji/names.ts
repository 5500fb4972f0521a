import emojibase from 'emojibase-data/en/shortcodes/emojibase.json' with { type: 'json' };
import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import { zulipNames } from './zulipNames.ts';

/** Maps an emoji's code to its name or names. */
type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

/** If two lists give a name to different emoji, the earlier list counts. */
const lists: readonly Shortcodes[] = [iamcal, github, emojibase];

let codes: { readonly byName: ReadonlyMap<string, string>; readonly all: ReadonlySet<string> } | undefined;
type NamesByCode = Readonly<Record<string, string[]>>;
/** Every visitor may ask for it, and it never changes. */
let namesByCode: NamesByCode | undefined;

/** The code of a Unicode emoji (`smile`: `1f642`): code points in lower-case hexadecimal, joined by `-`, without FE0F. */
export function emojiCodeOf(name: string): string | undefined {
  return table().byName.get(name);
}

export function isEmojiCode(code: string): boolean {
  return table().all.has(code);
}

/** All names of each emoji, the usual one first: Zulip's name, otherwise the first name in the first list that has the emoji. */
export function emojiNamesByCode(): NamesByCode {
  return (namesByCode ??= gatherNames());
}

function gatherNames(): NamesByCode {
  const byCode: Record<string, string[]> = {};
  const { byName } = table();
  const listed = lists.flatMap((list) => Object.values(list).flat());
  for (const name of new Set([...Object.keys(zulipNames), ...listed])) {
    const code = byName.get(name);
    if (code !== undefined) (byCode[code] ??= []).push(name);
  }
  return byCode;
}

function table() {
  if (codes) return codes;
  const special = Object.entries(zulipNames).map(([name, emoji]) => [name, codeOf(emoji)] as const);
  const byName = new Map([...named(), ...special]);
  codes = { byName, all: new Set(byName.values()) };
  return codes;
}

/** The lists are in reverse order, because a later entry of a map overrides an earlier one. */
function named(): (readonly [name: string, code: string])[] {
  return lists.toReversed().flatMap((list) =>
    Object.entries(list).flatMap(([hexcode, names]) => {
      const code = hexcode.toLowerCase().replaceAll('-fe0f', '');
      return [names].flat().map((name) => [name, code] as const);
    }),
  );
}

function codeOf(emoji: string): string {
  return [...emoji].map((character) => character.codePointAt(0)?.toString(16)).join('-');
}
