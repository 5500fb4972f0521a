import {
  type AnswerIn,
  type Message,
  type NarrowTerm,
  type ParametersOut,
  checkMessagesMatchNarrow,
  getMessages,
  charactersPerEntry,
  maxCharactersPerFetch,
  maxCharactersRead,
  maxMessagesExamined,
  maxMessagesPerFetch,
  maxMessagesPerFlagCall,
  newestAnchor,
  parameterError,
  updateMessageFlagsForNarrow,
} from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { type Steps, StepClock } from '../turns.ts';
import { mayReadEach } from '../conversations/access.ts';
import { refused } from '../errors.ts';
import { type MemberCall, type Route, memberRoute } from '../http/router.ts';
import { Visibility } from '../privacy/visibility.ts';
import { changeFlag, flagOperation } from '../reading/flags.ts';
import { flagsSeenBy } from '../reading/unread.ts';
import type { Groups } from '../identity/groups.ts';
import type { Member } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';
import { type Candidate, type Walk, candidates } from './candidates.ts';
import { type Narrow, asksIndex, narrowOf } from './narrow.ts';
import type { FindsWords, NarrowDependencies } from './operators.ts';
import { SharedMessages } from './sharedMessages.ts';
import { messages } from './store.ts';
import type { MessageDependencies } from './dependencies.ts';
import { matchViews, messageViews } from './view.ts';

type Parameters = ParametersOut<typeof getMessages>;
type Request = Parameters & { readonly num_before: number; readonly num_after: number };
type Answer = Steps<AnswerIn<typeof getMessages>>;

export function fetchRoutes({ database, log, searchIndex, groups }: MessageDependencies): Route[] {
  const sources = { index: searchIndex, groups, shared: new SharedMessages() };
  /** Searches wait for the index. The member is looked up again, because their role may have changed while the call waited. */
  const looked = <Result>(
    { member, signal, takeTurns }: MemberCall,
    terms: readonly NarrowTerm[],
    fetch: (reader: Reader, member: Member, sources: Sources) => Steps<Result>,
  ): Promise<Result> => {
    const look = () => takeTurns(() => database.longSnapshot((reader) => fetch(reader, memberNow(reader, member), sources)));
    return asksIndex(terms) ? searchIndex.search(look, signal) : look();
  };
  return [
    memberRoute(getMessages, (request, call) => {
      const fetch = request.message_ids ? theseMessages(request, request.message_ids) : rangeOfMessages(request);
      return looked(call, request.narrow, fetch);
    }),

    memberRoute(updateMessageFlagsForNarrow, async ({ op, flag, ...request }, call) => {
      const operation = flagOperation(op, flag);
      const { num_before: before, num_after: after } = countsOf(request);
      const num_before = Math.min(before, maxMessagesPerFlagCall);
      const range = { ...request, num_before, num_after: Math.min(after, maxMessagesPerFlagCall - num_before) };
      const { ids, ...found } = await looked(call, request.narrow, (reader, member, at) =>
        processedRange(reader, member, range, at),
      );
      const { changed, ignored } = await changeFlag(database, log, call.member, { ...operation, messages: ids });
      return {
        processed_count: ids.length,
        updated_count: changed.length,
        ...found,
        ignored_because_not_subscribed_channels: ignored,
      };
    }),

    memberRoute(checkMessagesMatchNarrow, async ({ msg_ids, narrow }, call) => {
      const ids = distinct(msg_ids);
      return looked(call, narrow, (reader, member, at) => matchesOf(reader, member, ids, narrow, at));
    }),
  ];
}

interface Sources {
  readonly index: FindsWords;
  readonly groups: Groups;
  readonly shared: SharedMessages;
}

function countsOf({ num_before, num_after }: Pick<Parameters, 'num_before' | 'num_after'>) {
  if (num_before === undefined) throw parameterError.missing('num_before');
  if (num_after === undefined) throw parameterError.missing('num_after');
  return { num_before, num_after };
}

const tooMany = () => refused.because(`Too many messages requested (maximum ${maxMessagesPerFetch}).`);

function rangeOfMessages(request: Parameters) {
  const { include_anchor } = request;
  const { num_before, num_after } = countsOf(request);
  if (num_before + num_after > maxMessagesPerFetch) throw tooMany();
  if (!include_anchor && num_before > 0 && num_after > 0) {
    throw refused.because('The anchor can only be excluded at an end of the range');
  }
  return (reader: Reader, member: Member, sources: Sources) =>
    fetchMessages(reader, member, { ...request, num_before, num_after }, sources);
}

/** In ascending order. */
function distinct(messageIds: readonly number[]): number[] {
  const ids = [...new Set(messageIds)].toSorted((one, other) => one - other);
  if (ids.length > maxMessagesPerFetch) throw tooMany();
  return ids;
}

const ofRanges = ['anchor', 'num_before', 'num_after'] as const;

function theseMessages(request: Parameters, messageIds: readonly number[]) {
  const ids = distinct(messageIds);
  const other = ofRanges.find((name) => request[name] !== undefined);
  if (other !== undefined) throw refused.because(`Unsupported parameter combination: message_ids, ${other}`);
  return (reader: Reader, member: Member, sources: Sources) => fetchThese(reader, member, ids, request, sources);
}

/** Those of the messages that the member may read and that match the narrow. Each id and each conversation costs one look-up. */
function* fetchThese(
  reader: Reader,
  member: Member,
  messageIds: readonly number[],
  { narrow: terms, include_deleted, apply_markdown }: Parameters,
  { index, ...sources }: Sources,
): Answer {
  const clock = new StepClock();
  const narrow = narrowOf(reader, member, terms, { index, allowance: { characters: maxCharactersRead } });
  const found = yield* matching(reader, member, messageIds, { terms, narrow, include_deleted, clock });
  const views = viewsOf(reader, sources, member, apply_markdown, narrow.words);
  const { messages: shown } = yield* within({ found, isAll: true, reached: undefined }, views, clock);
  const flags = { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false };
  return { anchor: found[0]?.id ?? 0, ...flags, messages: shown };
}

interface Matching {
  readonly terms: readonly NarrowTerm[];
  readonly narrow: Narrow;
  readonly include_deleted: boolean;
  readonly clock: StepClock;
}

function* matching(
  reader: Reader,
  member: Member,
  messageIds: readonly number[],
  { terms, narrow, include_deleted, clock }: Matching,
): Steps<Candidate[]> {
  const isReadable = mayReadEach(reader, member);
  const found: Candidate[] = [];
  for (const id of messageIds) {
    yield* clock.pause();
    const candidate = candidates.one(reader, member.id, id, include_deleted);
    // Without terms a narrow has only received messages, but ids may also be of public streams that the member has not joined.
    if (candidate && (terms.length > 0 ? narrow.holds(candidate) : isReadable(candidate))) found.push(candidate);
  }
  return found;
}

/** Answers after the first `maxCharactersPerFetch` characters of matches are left out. */
function* matchesOf(
  reader: Reader,
  member: Member,
  messageIds: readonly number[],
  terms: readonly NarrowTerm[],
  { index, groups }: Sources,
): Steps<AnswerIn<typeof checkMessagesMatchNarrow>> {
  const clock = new StepClock();
  const narrow = narrowOf(reader, member, terms, { index, allowance: { characters: maxCharactersRead } });
  const matches = yield* matching(reader, member, messageIds, { terms, narrow, include_deleted: false, clock });
  const match = matchViews(reader, new Visibility(reader, groups), member, narrow.words);
  const found: AnswerIn<typeof checkMessagesMatchNarrow>['messages'] = {};
  let characters = 0;
  for (const { id } of matches) {
    if (characters > maxCharactersPerFetch) break;
    yield* clock.pause();
    const row = messages.withSender(reader, id);
    if (!row) continue;
    const { match_content = '', match_subject = '' } = match(row);
    found[id] = { match_content, match_subject };
    characters += match_content.length;
  }
  return { messages: found };
}

/** `maxMessagesPerFetch`, `maxCharactersRead` and, on each side of the anchor, `mostExamined` candidates bound the work. */
export function* fetchMessages(
  reader: Reader,
  member: Member,
  request: Request,
  { index, ...sources }: Sources,
  mostExamined = maxMessagesExamined,
): Answer {
  const clock = new StepClock();
  const { anchor, narrow, before, atAnchor, after } = yield* findRange(reader, member, request, { index, mostExamined, clock });
  const views = viewsOf(reader, sources, member, request.apply_markdown, narrow.words);
  const older = yield* within(before, views, clock);
  const newer = yield* within(after, views, clock);

  return {
    anchor,
    found_anchor: atAnchor.length > 0,
    found_oldest: anchor === 0 || older.isAll,
    found_newest: anchor >= newestAnchor || newer.isAll,
    history_limited: false,
    ...(older.reached === undefined ? {} : { oldest_examined: older.reached }),
    messages: [...older.messages.toReversed(), ...atAnchor.flatMap(views), ...newer.messages],
  };
}

/** The messages around an anchor that match a narrow: those of `before` descend by their ids, those of `after` ascend. */
interface FoundRange {
  readonly anchor: number;
  readonly narrow: Narrow;
  readonly before: WalkResult;
  readonly atAnchor: readonly Candidate[];
  readonly after: WalkResult;
}

interface RangeRequest extends Pick<Request, 'anchor' | 'num_before' | 'num_after' | 'include_anchor' | 'narrow'> {
  readonly anchor_date?: string | undefined;
  readonly use_first_unread_anchor?: boolean;
  readonly include_deleted?: boolean;
}

function* findRange(
  reader: Reader,
  member: Member,
  request: RangeRequest,
  { index, mostExamined, clock }: Pick<FetchDependencies, 'index' | 'mostExamined' | 'clock'>,
): Steps<FoundRange> {
  const dependencies = { index, allowance: { characters: maxCharactersRead }, mostExamined, clock };
  const narrow = narrowOf(reader, member, request.narrow, dependencies);
  const anchor = yield* anchorOf(reader, member, request, dependencies);
  const includeDeleted = request.include_deleted ?? false;
  const find = (walk: Omit<Walk, 'includeDeleted'>, most: number) =>
    findIn(narrow, { ...walk, includeDeleted }, most, dependencies);

  const before = yield* find({ direction: 'down', span: { after: 0, upTo: anchor - 1 } }, request.num_before);
  const candidate = request.include_anchor ? candidates.one(reader, member.id, anchor, includeDeleted) : undefined;
  const atAnchor = candidate && narrow.holds(candidate) ? [candidate] : [];
  const after = yield* find({ direction: 'up', span: { after: anchor, upTo: newestAnchor } }, request.num_after);
  return { anchor, narrow, before, atAnchor, after };
}

interface ProcessedRange {
  /** In ascending order. */
  readonly ids: readonly number[];
  readonly first_processed_id: number | null;
  readonly last_processed_id: number | null;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

function* processedRange(reader: Reader, member: Member, request: RangeRequest, { index }: Sources): Steps<ProcessedRange> {
  const dependencies = { index, mostExamined: maxMessagesExamined, clock: new StepClock() };
  const { anchor, before, atAnchor, after } = yield* findRange(reader, member, request, dependencies);
  const ids = [...before.found.toReversed(), ...atAnchor, ...after.found].map(({ id }) => id);
  return {
    ids,
    // A client continues from here, so a walk that ended early names the last message that it examined.
    first_processed_id: before.reached ?? ids[0] ?? null,
    last_processed_id: after.reached ?? ids.at(-1) ?? null,
    found_oldest: anchor === 0 || before.isAll,
    found_newest: anchor >= newestAnchor || after.isAll,
  };
}

interface Page {
  readonly messages: Message[];
  readonly isAll: boolean;
  readonly reached: number | undefined;
}

/** Keeps messages from the anchor on while `maxCharactersPerFetch` allows it, but at least one. */
function* within({ found, isAll, reached }: WalkResult, views: (found: Candidate) => Message[], clock: StepClock): Steps<Page> {
  const messages: Message[] = [];
  let characters = 0;
  let last: number | undefined;
  for (const each of found) {
    if (characters > maxCharactersPerFetch) return { messages, isAll: false, reached: last };
    yield* clock.pause();
    last = each.id;
    for (const message of views(each)) {
      messages.push(message);
      characters += message.content.length + (message.match_content?.length ?? 0);
      characters += charactersPerEntry * (message.reactions.length + (message.edit_history?.length ?? 0));
    }
  }
  return { messages, isAll, reached };
}

function viewsOf(
  reader: Reader,
  { groups, shared }: Omit<Sources, 'index'>,
  member: Member,
  applyMarkdown: boolean,
  words: readonly string[],
) {
  const visibility = new Visibility(reader, groups);
  const view = messageViews(reader, visibility, member);
  const match = words.length === 0 ? () => ({}) : matchViews(reader, visibility, member, words);
  const flagsOf = flagsSeenBy(reader, member.id);
  const rowOf = shared.in(reader);
  return (found: Candidate): Message[] => {
    const row = rowOf(found.id);
    if (!row) return [];
    const reacted = found.reacted === 1;
    return [{ ...view(row, applyMarkdown, reacted), flags: [...flagsOf(found)], ...match(row) }];
  };
}

interface WalkResult {
  readonly found: readonly Candidate[];
  readonly isAll: boolean;
  /** The last examined message id; undefined if there are no more messages. */
  readonly reached: number | undefined;
}

interface FetchDependencies extends NarrowDependencies {
  readonly mostExamined: number;
  readonly clock: StepClock;
}

/** Finds the first `most` matching messages in the walk's direction. Ends early at `mostExamined`, or when the allowance is spent. */
function* findIn(narrow: Narrow, walk: Walk, most: number, dependencies: FetchDependencies): Steps<WalkResult> {
  const { mostExamined, allowance, clock } = dependencies;
  const found: Candidate[] = [];
  let reached: number | undefined;
  if (most === 0) return { found, isAll: false, reached };
  let examined = 0;
  for (const candidate of narrow.candidates(walk)) {
    if (examined === mostExamined || allowance.characters <= 0) return { found, isAll: false, reached };
    yield* clock.pause();
    examined += 1;
    reached = candidate.id;
    if (candidate.id === found.at(-1)?.id || !narrow.holds(candidate)) continue;
    found.push(candidate);
    if (found.length === most) return { found, isAll: false, reached };
  }
  return { found, isAll: true, reached: undefined };
}

function* anchorOf(reader: Reader, member: Member, request: RangeRequest, dependencies: FetchDependencies): Steps<number> {
  const anchor = request.use_first_unread_anchor ? 'first_unread' : request.anchor;
  if (anchor === undefined) throw refused.because("Missing 'anchor' argument.");
  if (anchor === 'newest') return newestAnchor;
  if (anchor === 'oldest') return 0;
  if (anchor === 'first_unread') return (yield* firstUnread(reader, member, request.narrow, dependencies)) ?? newestAnchor;
  if (anchor === 'date') return messages.firstSince(reader, timeIn(request.anchor_date)) ?? newestAnchor;
  if (!/^-?\d+$/.test(anchor)) throw refused.because('Invalid anchor');
  return Math.min(Math.max(Number(anchor), 0), newestAnchor);
}

const isoDate = /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<zone>Z|[+-]\d\d:\d\d)?)?$/;

/** @returns Unix seconds. */
function timeIn(date: string | undefined): number {
  if (date === undefined) throw refused.because("Missing 'anchor_date' argument.");
  const { time, zone } = isoDate.exec(date)?.groups ?? {};
  // JavaScript reads a date as UTC, but a time without a zone in the zone of the server. The Z makes it UTC.
  const seconds = isoDate.test(date) ? Date.parse(time && !zone ? `${date}Z` : date) / 1000 : Number.NaN;
  if (Number.isNaN(seconds)) throw refused.because("Invalid 'anchor_date'");
  return seconds;
}

const unread: NarrowTerm = { operator: 'is', operand: 'unread', negated: false };
const unmuted: NarrowTerm = { operator: 'is', operand: 'muted', negated: true };
const namesStream = new Set(['stream', 'channel', 'with']);

/** Finds the oldest unread message that matches a narrow. Muted streams do not count unless the narrow names a stream. */
function* firstUnread(
  reader: Reader,
  member: Member,
  terms: Request['narrow'],
  dependencies: FetchDependencies,
): Steps<number | undefined> {
  const named = terms.some(({ operator, negated }) => namesStream.has(operator) && !negated);
  const narrow = narrowOf(reader, member, [...terms, unread, ...(named ? [] : [unmuted])], dependencies);
  const walk = { direction: 'up', span: { after: 0, upTo: newestAnchor }, includeDeleted: false } as const;
  return (yield* findIn(narrow, walk, 1, dependencies)).found[0]?.id;
}
