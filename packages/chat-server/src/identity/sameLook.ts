import { fold } from '@engawa/folding';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Steps, atOnce } from '../turns.ts';
import { users } from './store.ts';

/** Each group looks alike in common fonts: Latin with Cyrillic and Greek, kanji with kana. NFKC has made widths equal before. */
const groups = `
  aаα bЬ cсϲ dԁ eе hһ iіι jј kκк lӏ nո oоοօ pрρ qԛ sѕ uս vνѵ wԝ xхχ yуγ
  AАΑ BВΒ CСϹ EЕΕ HНΗ IІΙӀ JЈ KКΚ MМΜ NΝ OОΟ PРΡ SЅ TТΤ XХΧ YΥҮ ZΖ
  一ー― 二ニ 三ミ 口ロ 力カ 工エ 夕タ 八ハ 千チ 又ヌ 才オ 卜ト へヘ べベ ぺペ りリ 〇○◯
`;

const likenesses = new Map(
  groups
    .trim()
    .split(/\s+/)
    .flatMap(([first = '', ...others]) => others.map((other): [string, string] => [other, first])),
);

const alike = new RegExp(`[${[...likenesses.keys()].join('')}]`, 'gu');

/** Spaces, characters that show nothing, and marks that do not compose with the character before them; no selectors of kanji. */
const unseen = /[[\s\u2800\p{DI}[[\p{Mn}\p{Me}]&&\p{Script=Inherited}]]--\p{Variation_Selector}]/gv;

/** Equal for names that look alike whatever their widths, cases, spaces and invisible characters. */
export function lookOf(name: string): string {
  return name
    .normalize('NFKC')
    .replace(unseen, '')
    .replace(alike, (character) => likenesses.get(character) ?? character)
    .toLowerCase();
}

/**
 * Members choose their `own` name: nobody else may have it, or one that differs only in look or in variant kanji. A name that
 * an administrator has `given` may be that of a namesake, or differ in variant kanji, because such people exist.
 */
export type Naming = 'own' | 'given';

interface Named {
  readonly full_name: string;
}

/** Returns those of `named` whose name another of `all` may not share. `all` contains them. */
function* takenAmong<Name extends Named>(all: readonly Name[], named: readonly Name[], naming: Naming): Steps<Name[]> {
  const keyOf = ({ full_name }: Named) => (naming === 'own' ? fold(lookOf(full_name)) : lookOf(full_name));
  const bearers = new Map<string, Name[]>();
  for (const one of all) {
    const key = keyOf(one);
    const sharing = bearers.get(key);
    if (sharing) sharing.push(one);
    else bearers.set(key, [one]);
    yield;
  }
  const mayShare = (one: Name, other: Name) => one === other || (naming === 'given' && one.full_name === other.full_name);
  const taken: Name[] = [];
  for (const one of named) {
    if (bearers.get(keyOf(one))?.some((other) => !mayShare(one, other))) taken.push(one);
    yield;
  }
  return taken;
}

/**
 * Checks the current names of users against all other active users. It reads the names of all: 20 ms of the main thread for 10,000.
 * @throws ChatError NAME_IN_USE
 */
export function refuseSameLook(reader: Reader, userIds: readonly number[], naming: Naming): void {
  atOnce(refuseSameLooks(reader, userIds, naming));
}

/** Like `refuseSameLook`, for many users. */
export function* refuseSameLooks(reader: Reader, userIds: readonly number[], naming: Naming): Steps<void> {
  if (userIds.length === 0) return;
  const ids = new Set(userIds);
  const active = users.activeNames(reader);
  const [taken] = yield* takenAmong(
    active,
    active.filter(({ id }) => ids.has(id)),
    naming,
  );
  if (taken) throw refused.nameInUse(taken.full_name);
}

/** Like `refuseSameLook`, for the `own` name of a person who has no account yet. */
export function refuseNameOfOther(reader: Reader, full_name: string): void {
  const own = { full_name };
  if (atOnce(takenAmong([...users.activeNames(reader), own], [own], 'own')).length > 0) throw refused.nameInUse(full_name);
}

/** A planned change of a name or of the activity; `userId` is undefined for a new user. */
export interface PlannedName {
  readonly userId: number | undefined;
  readonly fullName: string;
  readonly isActive: boolean;
}

/** Returns the planned names that a reorganisation with all of them would refuse. */
export function* takenNames<Planned extends PlannedName>(reader: Reader, planned: readonly Planned[]): Steps<Planned[]> {
  const changed = new Set(planned.map(({ userId }) => userId));
  const others = users.activeNames(reader).filter(({ id }) => !changed.has(id));
  const after = planned.filter(({ isActive }) => isActive).map((each) => ({ full_name: each.fullName, planned: each }));
  const taken = yield* takenAmong<Named & { readonly planned?: Planned }>([...others, ...after], after, 'given');
  return taken.flatMap((each) => each.planned ?? []);
}
