import emojibase from 'emojibase-data/en/shortcodes/emojibase.json' with { type: 'json' };
import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import { zulipNames } from './zulipNames.ts';

/** Maps an emoji's code to its name or names. */
type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

/** If two lists give a name to different emoji, the earlier list counts. */
const lists: readonly Shortcodes[] = [iamcal, github, emojibase];

let codes: { readonly byName: ReadonlyMap<string, string>; readonly all: ReadonlySet<string> } | undefined;

/** The code of a Unicode emoji (`smile`: `1f642`): code points in lower-case hexadecimal, joined by `-`, without FE0F. */
export function emojiCodeOf(name: string): string | undefined {
  return table().byName.get(name);
}

export function isEmojiCode(code: string): boolean {
  return table().all.has(code);
}

/** The usual name of each emoji comes first: Zulip's, else that of the first list. */
export function emojiNamesByCode(): Readonly<Record<string, string[]>> {
  const byCode: Record<string, string[]> = {};
  const { byName } = table();
  for (const name of new Set([
    ...Object.keys(zulipNames),
    ...named()
      .toReversed()
      .map(([each]) => each),
  ])) {
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
