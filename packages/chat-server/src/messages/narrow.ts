import { type NarrowTerm, maxSearchWords } from '@engawa/protocol';
import { type Span, readable, received, within } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { unreadSpans } from '../reading/unread.ts';
import { refused } from '../errors.ts';
import { NotIndexedError, type SearchIndex } from '../search/searchIndex.ts';
import type { Member } from '../identity/member.ts';
import { type Candidate, type FindIds, type Walk, candidates } from './candidates.ts';
import { merge, newestFirst, oldestFirst } from '../conversations/merge.ts';
import {
  type Allowance,
  type FlagOperand,
  type Knowledge,
  type Test,
  type Whereabouts,
  knowledgeOf,
  termOf,
} from './operators.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';

/** What a narrow asks for, as the member who asks may read it. */
export interface Narrow {
  /** THE truth of a narrow: whether a message is in its scope and fulfils all of its terms. */
  readonly holds: (message: Candidate) => boolean;
  /** Messages among which are all that hold, in the order of the walk; some may come twice in a row. */
  readonly candidates: (walk: Walk) => Iterable<Candidate>;
  /** The words that its messages hold. */
  readonly words: readonly string[];
}

/** Whether a narrow asks the index, which must know then all that was said. `candidatesIn` asks these others first. */
export function asksIndex(terms: readonly NarrowTerm[]): boolean {
  const has = (wanted: string, sought?: string) =>
    terms.some(({ operator, operand, negated }) => {
      return operator === wanted && !negated && (sought === undefined || operand === sought);
    });
  return has('search') && !has('id') && !has('is', 'starred');
}

/** What a narrow is read with. */
export interface NarrowMeans {
  readonly index: FindsWords;
  readonly allowance: Allowance;
}

/** @throws ChatError BAD_NARROW, see `termOf`. */
export function narrowOf(
  reader: Reader,
  member: Member,
  asked: readonly NarrowTerm[],
  { index, allowance }: NarrowMeans,
): Narrow {
  const knowledge = knowledgeOf(reader, member, allowance);
  const terms = placed(asked).map((term) => termOf(knowledge, term));
  const tests = terms.map(({ test }) => test);
  refuseManyWords(tests);
  const ofConversation = tests.filter((test) => test.of === 'conversation');
  // The text last, because it takes the most.
  const ofMessage = tests
    .filter((test) => test.of !== 'conversation')
    .toSorted((one, other) => Number(one.of === 'text') - Number(other.of === 'text'));
  const whereabouts = togetherOf(terms.map((term) => term.whereabouts ?? {}));

  const scope = scopeOf(knowledge, whereabouts);
  const spans = new Map<number, readonly Span[]>();
  const spansOf = (conversationId: number): readonly Span[] => {
    const known = spans.get(conversationId);
    if (known) return known;
    const asks = ofConversation.every((test) => test.holds(conversationId));
    const found = asks ? scope.spansOf(conversationId) : [];
    spans.set(conversationId, found);
    return found;
  };
  return {
    holds: (message) => within(message.id, spansOf(message.conversation_id)) && ofMessage.every((test) => test.holds(message)),
    candidates: (walk) => candidatesIn(knowledge, index, whereabouts, { ...scope, spansOf }, walk),
    words: whereabouts.words,
  };
}

/** Each text is searched for each word. */
function refuseManyWords(tests: readonly Test[]): void {
  const count = tests.reduce((sum, test) => sum + (test.of === 'text' ? test.words.length : 0), 0);
  if (count > maxSearchWords) throw refused.badNarrow(`more than ${maxSearchWords} words to search for`);
}

const places = new Set(['stream', 'channel', 'topic', 'subject', 'dm', 'pm-with', 'pm_with']);

/** Where a message names the place by `with`, that stands in for the other terms that name one. */
function placed(terms: readonly NarrowTerm[]): readonly NarrowTerm[] {
  const byMessage = terms.some(({ operator, negated }) => operator === 'with' && !negated);
  return byMessage ? terms.filter(({ operator, negated }) => negated || !places.has(operator)) : terms;
}

/** What a narrow needs of the index. */
export type FindsWords = Pick<SearchIndex, 'find' | 'indexed'>;

/** Those of all terms. Where two terms name conversations, either list will do: what fulfils both is in both. */
function togetherOf(each: readonly Whereabouts[]): Together {
  return each.reduce<Together>(
    (all, { flag, words = [], ...one }) => ({
      ...all,
      ...one,
      flags: flag === undefined ? all.flags : [...all.flags, flag],
      words: [...all.words, ...words],
    }),
    { flags: [], words: [] },
  );
}
interface Together extends Omit<Whereabouts, 'flag'> {
  readonly flags: readonly FlagOperand[];
  readonly words: readonly string[];
}

/** The conversations that a narrow is over, and which parts of them. */
interface Scope {
  readonly conversationIds: () => readonly number[];
  readonly spansOf: (conversationId: number) => readonly Span[];
}

/**
 * Of conversations that are named all that may be read; else what the member received, in the conversations in which
 * they are; and whatever they starred, as long as they may read it.
 */
function scopeOf({ reader, member, stays }: Knowledge, { conversationIds: named, flags }: Together): Scope {
  const wide = named !== undefined || flags.includes('starred');
  return {
    conversationIds: () => named ?? [...stays().keys()],
    spansOf: (conversationId) => {
      if (wide) return readable(reader, member, conversationId);
      return stays().has(conversationId) ? received(reader, member.id, conversationId) : [];
    },
  };
}

/** Read by the index that promises the fewest. */
function candidatesIn(
  knowledge: Knowledge,
  index: FindsWords,
  whereabouts: Together,
  scope: Scope,
  walk: Walk,
): Iterable<Candidate> {
  const { reader, member } = knowledge;
  const { messageId, flags, words } = whereabouts;
  if (messageId !== undefined) {
    const candidate = candidates.one(reader, member.id, messageId, walk.includeDeleted);
    return candidate && within(messageId, [walk.span]) ? [candidate] : [];
  }
  const flagged = () => candidates.flagged(reader, member.id, walk);
  if (flags.includes('starred')) return flagged();
  if (words.length > 0) return withWords(knowledge, index, words, scope, walk);
  if (flags.includes('alerted')) return flagged();
  // What is said to all bears no flag of each.
  if (flags.includes('mentioned')) {
    const toAll: Together = { ...whereabouts, feature: 'mentionsAll' };
    return inOrder([flagged(), ...inConversations(knowledge, toAll, scope, walk)], walk);
  }
  const { topicKey, senderId, feature } = whereabouts;
  const isWide = topicKey === undefined && senderId === undefined && feature === undefined && flags.length === 0;
  const count = scope.conversationIds().length;
  if (isWide && walk.direction === 'down' && count > mostAskedOneByOne) {
    return amongNewest(knowledge, whereabouts, scope, walk, 2 * count);
  }
  return inOrder(inConversations(knowledge, whereabouts, scope, walk), walk);
}

/** Most conversations of which each is asked for its newest before anything else is looked at. */
const mostAskedOneByOne = 50;

/**
 * To ask each of many conversations for its newest costs more than to look at as many messages as there are of these,
 * whoever may read them. Mostly enough is found among so few; what is not is asked for one by one.
 */
function* amongNewest(
  knowledge: Knowledge,
  whereabouts: Together,
  scope: Scope,
  walk: Walk,
  most: number,
): Generator<Candidate, undefined> {
  let looked = 0;
  for (const candidate of candidates.newest(knowledge.reader, knowledge.member.id, walk)) {
    looked += 1;
    if (within(candidate.id, scope.spansOf(candidate.conversation_id))) yield candidate;
    if (looked < most) continue;
    const older = { ...walk, span: { ...walk.span, upTo: candidate.id - 1 } };
    yield* inOrder(inConversations(knowledge, whereabouts, scope, older), older);
    return undefined;
  }
  return undefined;
}

/** Most conversations that one query to the index names. */
const mostNamedConversations = 200;

/**
 * What is found depends on nothing that is said outside of the scope, nor does how far a fetch gets. To name a
 * conversation to the index costs as much as to look at some thirty of its ids, also where none is found. So the words
 * are sought everywhere first, for a while that is short beside that: it is enough for what is rare, and for whoever
 * reads most of what is said.
 */
function* withWords(
  { reader, member }: Knowledge,
  index: FindsWords,
  words: readonly string[],
  scope: Scope,
  walk: Walk,
): Generator<Candidate, undefined> {
  const parts = clipped(partsOf(reader, scope), walk.span);
  if (parts.length === 0) return undefined;
  const whole = spanning(parts);
  const indexed = index.indexed(whole, walk.direction);
  const count = parts.reduce((sum, { conversationIds }) => sum + conversationIds.length, 0);
  const left = yield* foundAnywhere(reader, member, index, words, scope, { ...walk, span: indexed }, 2 * count);
  const sources = clipped(parts, left).map(({ conversationIds, span }) => {
    const find: FindIds = (...walked) => index.find({ words, conversationIds }, ...walked);
    return candidates.found(reader, member.id, find, { ...walk, span });
  });
  yield* inOrder(sources, walk);
  if (indexed.after > whole.after) throw new NotIndexedError('older messages are not indexed yet');
  return undefined;
}

/** Those of a scope among the first ids that hold the words, whoever may read them. Answers what is left of the walk. */
function* foundAnywhere(
  reader: Reader,
  member: Member,
  index: FindsWords,
  words: readonly string[],
  { spansOf }: Scope,
  walk: Walk,
  most: number,
): Generator<Candidate, Span> {
  const { direction, span } = walk;
  const ids = index.find({ words, conversationIds: 'all' }, span, direction, most);
  const places = messageHeaders.of(reader, ids);
  const own = new Set(places.filter((at) => within(at.id, spansOf(at.conversation_id))).map(({ id }) => id));
  yield* candidates.these(
    reader,
    member.id,
    ids.filter((id) => own.has(id)),
    walk,
  );
  const last = ids.at(-1);
  if (last === undefined || ids.length < most) return nothing;
  return direction === 'up' ? { ...span, after: last } : { ...span, upTo: last - 1 };
}

const nothing: Span = { after: 0, upTo: 0 };

/** Conversations of which the same span is in a scope. */
interface Part {
  readonly span: Span;
  readonly conversationIds: readonly number[];
}

/** What of the parts is in a span, without those of which nothing is. */
function clipped(parts: readonly Part[], { after, upTo }: Span): Part[] {
  return parts
    .map((part) => {
      return { ...part, span: { after: Math.max(part.span.after, after), upTo: Math.min(part.span.upTo, upTo) } };
    })
    .filter(({ span }) => span.after < span.upTo);
}

/** From where the first begins to where the last ends. */
function spanning(parts: readonly Part[]): Span {
  const [after, upTo] = [parts.map(({ span }) => span.after), parts.map(({ span }) => span.upTo)];
  return { after: Math.min(...after), upTo: Math.max(...upTo) };
}

/** A scope in parts of at most `mostNamedConversations`. Whoever was there from the first message on has all. */
function partsOf(reader: Reader, { conversationIds, spansOf }: Scope): Part[] {
  const alike = new Map<string, { readonly span: Span; readonly conversationIds: number[] }>();
  for (const id of conversationIds()) {
    for (const { after, upTo } of spansOf(id)) {
      const span = { after: after === 0 || messageHeaders.newestId(reader, id, after) === 0 ? 0 : after, upTo };
      const key = `${span.after} ${span.upTo}`;
      const part = alike.get(key);
      if (part) part.conversationIds.push(id);
      else alike.set(key, { span, conversationIds: [id] });
    }
  }
  return [...alike.values()].flatMap(({ span, conversationIds: all }) => {
    const count = Math.ceil(all.length / mostNamedConversations);
    return Array.from({ length: count }, (_, index) => {
      const first = index * mostNamedConversations;
      return { span, conversationIds: all.slice(first, first + mostNamedConversations) };
    });
  });
}

function inOrder(sources: readonly Iterator<Candidate>[], { direction }: Walk): Iterable<Candidate> {
  const before = direction === 'up' ? oldestFirst : newestFirst;
  return merge(sources, (one, other) => before(one.id, other.id));
}

function inConversations({ reader, member }: Knowledge, whereabouts: Together, scope: Scope, walk: Walk) {
  return scope.conversationIds().flatMap((conversationId) => {
    const spans = scope.spansOf(conversationId);
    if (spans.length === 0) return [];
    const unread = whereabouts.flags.includes('unread');
    const sought = unread ? fewer(unreadSpans(reader, member.id, conversationId)) : spans;
    return [inSpans(reader, member, conversationId, sought, whereabouts, walk)];
  });
}

/** Most gaps of one conversation that are looked into one by one, each with a query of its own. */
const mostGaps = 500;

/** Ascending spans, of many those beside each other in one, with what lies between them. */
function fewer(spans: readonly Span[]): readonly Span[] {
  const together = Math.ceil(spans.length / mostGaps);
  return spans.flatMap(({ after }, index) => {
    const last = index % together === 0 ? spans[Math.min(index + together, spans.length) - 1] : undefined;
    return last ? [{ after, upTo: last.upTo }] : [];
  });
}

/** Of ascending spans. */
function* inSpans(
  reader: Reader,
  member: Member,
  conversationId: number,
  spans: readonly Span[],
  whereabouts: Whereabouts,
  walk: Walk,
): Generator<Candidate, undefined> {
  for (const span of walk.direction === 'up' ? spans : spans.toReversed()) {
    const after = Math.max(span.after, walk.span.after);
    const upTo = Math.min(span.upTo, walk.span.upTo);
    if (after >= upTo) continue;
    const part: Walk = { ...walk, span: { after, upTo } };
    yield* candidates.inConversation(reader, member.id, conversationId, whereabouts, part);
  }
  return undefined;
}
