import {
  type Message,
  type NarrowTerm,
  type ParametersOut,
  getMessages,
  maxCharactersPerFetch,
  maxMessagesExamined,
  maxMessagesPerFetch,
  newestAnchor,
} from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { Visibility } from '../privacy/visibility.ts';
import { flagsSeenBy } from '../reading/unread.ts';
import type { Groups } from '../identity/groups.ts';
import type { Member } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';
import { type Walk, candidates } from './candidates.ts';
import { type FindsWords, type Narrow, type NarrowMeans, asksIndex, narrowOf } from './narrow.ts';
import { Allowance } from './operators.ts';
import { messages } from './store.ts';
import type { MessageDependencies } from './dependencies.ts';
import { matchViews, messageViews } from './view.ts';

type Asked = ParametersOut<typeof getMessages>;

export function fetchRoute({ database, searchIndex, groups }: MessageDependencies): Route {
  return memberRoute(getMessages, (asked, { member, signal }) => {
    if (asked.num_before + asked.num_after > maxMessagesPerFetch) {
      throw refused.because(`Too many messages requested (maximum ${maxMessagesPerFetch}).`);
    }
    if (!asked.include_anchor && asked.num_before > 0 && asked.num_after > 0) {
      throw refused.because('The anchor can only be excluded at an end of the range');
    }
    const look = (who: (reader: Reader) => Member) =>
      database.snapshot((reader) => fetchMessages(reader, who(reader), asked, { index: searchIndex, groups }));
    if (!asksIndex(asked.narrow)) return look(() => member);
    // Once more as they are now: the index may have taken its time.
    return searchIndex.search(() => look((reader) => memberNow(reader, member)), signal);
  });
}

/**
 * Bounded by `maxMessagesPerFetch` messages and `maxCharactersRead` characters of their texts, and on each side of the
 * anchor by a page for each of the member's conversations and by `mostExamined` candidates.
 */
export function fetchMessages(
  reader: Reader,
  member: Member,
  asked: Asked,
  { index, groups }: { readonly index: FindsWords; readonly groups: Groups },
  mostExamined = maxMessagesExamined,
) {
  const means = { index, allowance: new Allowance(), mostExamined };
  const narrow = narrowOf(reader, member, asked.narrow, means);
  const anchor = anchorOf(reader, member, asked, means);
  const includeDeleted = asked.include_deleted;
  const find = (walk: Omit<Walk, 'includeDeleted'>, most: number) => findIn(narrow, { ...walk, includeDeleted }, most, means);

  const before = find({ direction: 'down', span: { after: 0, upTo: anchor - 1 } }, asked.num_before);
  const candidate = asked.include_anchor ? candidates.one(reader, member.id, anchor, includeDeleted) : undefined;
  const atAnchor = candidate && narrow.holds(candidate) ? [anchor] : [];
  const after = find({ direction: 'up', span: { after: anchor, upTo: newestAnchor } }, asked.num_after);
  const shown = shownOf(reader, new Visibility(reader, groups), member, { ...asked, words: narrow.words });
  const older = within(before, shown);
  const newer = within(after, shown);

  return {
    anchor,
    found_anchor: atAnchor.length > 0,
    found_oldest: anchor === 0 || older.isAll,
    found_newest: anchor >= newestAnchor || newer.isAll,
    history_limited: false,
    ...(older.reached === undefined ? {} : { oldest_examined: older.reached }),
    messages: [...older.messages.toReversed(), ...atAnchor.flatMap(shown), ...newer.messages],
  };
}

/** As many as `maxCharactersPerFetch` has room for, beginning at the anchor; at least one. */
function within({ ids, isAll, reached }: Found, shown: (id: number) => Message[]) {
  const messages: Message[] = [];
  let characters = 0;
  let last: number | undefined;
  for (const id of ids) {
    if (characters > maxCharactersPerFetch) return { messages, isAll: false, reached: last };
    last = id;
    for (const message of shown(id)) {
      messages.push(message);
      characters += message.content.length + (message.match_content?.length ?? 0);
    }
  }
  return { messages, isAll, reached };
}

/** Each message as the member sees it, with what was searched for marked in it; none where it is gone. */
function shownOf(
  reader: Reader,
  visibility: Visibility,
  member: Member,
  { apply_markdown, words }: Pick<Asked, 'apply_markdown'> & { readonly words: readonly string[] },
): (id: number) => Message[] {
  const view = messageViews(reader, visibility, member);
  const match = words.length === 0 ? () => ({}) : matchViews(reader, member, words);
  const flagsOf = flagsSeenBy(reader, member.id);
  return (id) => {
    const row = messages.withSender(reader, id);
    return row ? [{ ...view(row, apply_markdown), flags: flagsOf(row), ...match(row) }] : [];
  };
}

interface Found {
  readonly ids: readonly number[];
  /** There are no more in the walk. */
  readonly isAll: boolean;
  /** Where there may be more: the last id that was looked at. */
  readonly reached: number | undefined;
}

/** What one call looks with, and how far. */
interface FetchMeans extends NarrowMeans {
  readonly mostExamined: number;
}

/**
 * The first `most` ids of a walk through a narrow, which ends after `mostExamined` candidates, or when the allowance is
 * spent, with what it has then.
 */
function findIn(narrow: Narrow, walk: Walk, most: number, { mostExamined, allowance }: FetchMeans): Found {
  const ids: number[] = [];
  let reached: number | undefined;
  if (most === 0) return { ids, isAll: false, reached };
  let examined = 0;
  for (const candidate of narrow.candidates(walk)) {
    if (examined === mostExamined || allowance.isSpent) return { ids, isAll: false, reached };
    examined += 1;
    reached = candidate.id;
    if (candidate.id === ids.at(-1) || !narrow.holds(candidate)) continue;
    ids.push(candidate.id);
    if (ids.length === most) return { ids, isAll: false, reached };
  }
  return { ids, isAll: true, reached: undefined };
}

function anchorOf(reader: Reader, member: Member, asked: Asked, means: FetchMeans): number {
  const anchor = asked.use_first_unread_anchor ? 'first_unread' : asked.anchor;
  if (anchor === undefined) throw refused.because("Missing 'anchor' argument.");
  if (anchor === 'newest') return newestAnchor;
  if (anchor === 'oldest') return 0;
  if (anchor === 'first_unread') return firstUnread(reader, member, asked.narrow, means) ?? newestAnchor;
  if (anchor === 'date') return messages.firstSince(reader, timeIn(asked.anchor_date)) ?? newestAnchor;
  if (!/^-?\d+$/.test(anchor)) throw refused.because('Invalid anchor');
  return Math.min(Math.max(Number(anchor), 0), newestAnchor);
}

const isoDate = /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<zone>Z|[+-]\d\d:\d\d)?)?$/;

/** In Unix seconds. */
function timeIn(date: string | undefined): number {
  if (date === undefined) throw refused.because("Missing 'anchor_date' argument.");
  const { time, zone } = isoDate.exec(date)?.groups ?? {};
  // A day alone is of UTC already; a time without a zone would be of the server's.
  const seconds = isoDate.test(date) ? Date.parse(time && !zone ? `${date}Z` : date) / 1000 : Number.NaN;
  if (Number.isNaN(seconds)) throw refused.because("Invalid 'anchor_date'");
  return seconds;
}

const unread: NarrowTerm = { operator: 'is', operand: 'unread', negated: false };
const unmuted: NarrowTerm = { operator: 'is', operand: 'muted', negated: true };
const namesStream = new Set(['stream', 'channel', 'with']);

/** The lowest of a narrow; of muted streams only where the narrow names one. */
function firstUnread(reader: Reader, member: Member, terms: readonly NarrowTerm[], means: FetchMeans): number | undefined {
  const named = terms.some(({ operator, negated }) => namesStream.has(operator) && !negated);
  const narrow = narrowOf(reader, member, [...terms, unread, ...(named ? [] : [unmuted])], means);
  const walk = { direction: 'up', span: { after: 0, upTo: newestAnchor }, includeDeleted: false } as const;
  return findIn(narrow, walk, 1, means).ids[0];
}
