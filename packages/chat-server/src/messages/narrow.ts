import { type NarrowTerm, maxSearchWords } from '@engawa/protocol';
import { type Span, readable, received, within } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { remembered } from '../events/batch.ts';
import { ownMessages } from '../reading/ownMessages.ts';
import { unreadSpans } from '../reading/unread.ts';
import { refused } from '../errors.ts';
import { NotIndexedError } from '../search/searchIndex.ts';
import type { Member } from '../identity/member.ts';
import { type Candidate, type Candidates, type FindIds, type Walk, candidates } from './candidates.ts';
import { merge, newestFirst, oldestFirst } from '../conversations/merge.ts';
import {
  type FlagOperand,
  type Hints,
  type NarrowDependencies,
  type NarrowLookups,
  type Test,
  narrowLookups,
  termOf,
} from './operators.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';

export interface Narrow {
  /** THE rule of a narrow, a filter of messages: a message must be in its scope and pass the tests of all its terms. */
  readonly holds: (message: Candidate) => boolean;
  /** Visits at least all messages for which `holds` is true, in the walk's direction. A message may come twice in a row. */
  readonly candidates: (walk: Walk) => Iterable<Candidate>;
  readonly words: readonly string[];
}

/** Whether a narrow needs an up-to-date search index. A term for an id or for starred messages makes the index unnecessary. */
export function asksIndex(terms: readonly NarrowTerm[]): boolean {
  const has = (name: string, value?: string) =>
    terms.some(({ operator, operand, negated }) => {
      return operator === name && !negated && (value === undefined || operand === value);
    });
  return has('search') && !has('id') && !has('is', 'starred');
}

export function narrowOf(
  reader: Reader,
  member: Member,
  narrowTerms: readonly NarrowTerm[],
  dependencies: NarrowDependencies,
): Narrow {
  const lookups = narrowLookups(reader, member, dependencies);
  const terms = withoutPlaces(narrowTerms).map((term) => termOf(lookups, term));
  const tests = terms.map(({ test }) => test);
  refuseManyWords(tests);
  const ofConversation = tests.filter((test) => test.of === 'conversation');
  // Tests that read texts run last, because they cost most.
  const ofMessage = tests
    .filter((test) => test.of !== 'conversation')
    .toSorted((one, other) => Number(one.of === 'text') - Number(other.of === 'text'));
  const hints = combined(terms.map((term) => term.hints ?? {}));

  const scope = scopeOf(lookups, hints);
  const spans = new Map<number, readonly Span[]>();
  const spansOf = (conversationId: number): readonly Span[] =>
    remembered(spans, conversationId, () =>
      ofConversation.every((test) => test.holds(conversationId)) ? scope.spansOf(conversationId) : [],
    );
  return {
    holds: (message) => within(message.id, spansOf(message.conversation_id)) && ofMessage.every((test) => test.holds(message)),
    candidates: (walk) => candidatesIn(lookups, hints, { ...scope, spansOf }, walk),
    words: hints.words,
  };
}

function refuseManyWords(tests: readonly Test[]): void {
  const count = tests.reduce((sum, test) => sum + (test.of === 'text' ? test.words.length : 0), 0);
  if (count > maxSearchWords) throw refused.badNarrow(`more than ${maxSearchWords} words to search for`);
}

const places = new Set(['stream', 'channel', 'topic', 'subject', 'dm', 'pm-with', 'pm_with']);

/** A term `with` names a message. Its conversation and topic replace all other terms for conversations and topics. */
function withoutPlaces(terms: readonly NarrowTerm[]): readonly NarrowTerm[] {
  const byMessage = terms.some(({ operator, negated }) => operator === 'with' && !negated);
  return byMessage ? terms.filter(({ operator, negated }) => negated || !places.has(operator)) : terms;
}

/** Combines the hints of all terms. If two terms list conversations, the last list is enough, because matches are in both. */
function combined(each: readonly Hints[]): CombinedHints {
  return each.reduce<CombinedHints>(
    (all, { flag, words = [], ...one }) => ({
      ...all,
      ...one,
      flags: flag === undefined ? all.flags : [...all.flags, flag],
      words: [...all.words, ...words],
    }),
    { flags: [], words: [] },
  );
}
interface CombinedHints extends Omit<Hints, 'flag'> {
  readonly flags: readonly FlagOperand[];
  readonly words: readonly string[];
}

interface Scope {
  readonly conversationIds: () => readonly number[];
  readonly spansOf: (conversationId: number) => readonly Span[];
}

/** A narrow for named conversations or starred messages covers all readable messages; other narrows only received messages. */
function scopeOf({ reader, member, currentMemberships }: NarrowLookups, { conversationIds: named, flags }: CombinedHints): Scope {
  const wide = named !== undefined || flags.includes('starred');
  return {
    conversationIds: () => named ?? [...currentMemberships().keys()],
    spansOf: (conversationId) => {
      if (wide) return readable(reader, member, conversationId);
      return currentMemberships().has(conversationId) ? received(reader, member.id, conversationId) : [];
    },
  };
}

function candidatesIn(lookups: NarrowLookups, hints: CombinedHints, scope: Scope, walk: Walk): Iterable<Candidate> {
  const { reader, member } = lookups;
  const { messageId, flags, words } = hints;
  if (messageId !== undefined) {
    const candidate = candidates.one(reader, member.id, messageId, walk.includeDeleted);
    return candidate && within(messageId, [walk.span]) ? [candidate] : [];
  }
  const flagged = () => candidates.flagged(reader, member.id, walk);
  if (flags.includes('starred')) return flagged();
  if (words.length > 0) return withWords(lookups, words, scope, walk);
  if (flags.includes('alerted')) return flagged();
  // A mention of everyone sets no flag on the members, so such messages are found by their feature.
  if (flags.includes('mentioned')) {
    const toAll: CombinedHints = { ...hints, feature: 'mentionsAll' };
    return inOrder([flagged(), ...inConversations(lookups, toAll, scope, walk)], walk);
  }
  const { topicKey, senderId, feature } = hints;
  const isWide = topicKey === undefined && senderId === undefined && feature === undefined && flags.length === 0;
  const count = scope.conversationIds().length;
  if (isWide && walk.direction === 'down' && count > mostAskedOneByOne) {
    return amongNewest(lookups, hints, scope, walk, 2 * count);
  }
  return inOrder(inConversations(lookups, hints, scope, walk), walk);
}

const mostAskedOneByOne = 50;

/** Reads the newest messages of all conversations first, even unreadable ones. They mostly suffice and cost one query for all. */
function* amongNewest(lookups: NarrowLookups, hints: CombinedHints, scope: Scope, walk: Walk, most: number): Candidates {
  let examined = 0;
  for (const candidate of candidates.newest(lookups.reader, lookups.member.id, walk)) {
    examined += 1;
    if (within(candidate.id, scope.spansOf(candidate.conversation_id))) yield candidate;
    if (examined < most) continue;
    const older = { ...walk, span: { ...walk.span, upTo: candidate.id - 1 } };
    yield* inOrder(inConversations(lookups, hints, scope, older), older);
    return;
  }
}

/** One query to the search index names at most this many conversations. It takes 15 ms for so many, whatever the words. */
const mostNamedConversations = 500;

/**
 * Finds candidates by words. Each query names the member's conversations, although a query without names would be faster for a rare
 * word: its duration would reveal how often the word occurs in conversations that the member must not read.
 */
function* withWords(lookups: NarrowLookups, words: readonly string[], scope: Scope, walk: Walk): Candidates {
  const { reader, member, index } = lookups;
  const parts = clipped(partsOf(reader, scope), walk.span);
  if (parts.length === 0) return;
  const whole = spanning(parts);
  const indexed = index.indexed(whole, walk.direction);
  const sources = clipped(parts, indexed).map(({ conversationIds, span }) => {
    const find: FindIds = (...walked) => index.find({ words, conversationIds }, ...walked);
    return candidates.found(reader, member.id, find, { ...walk, span });
  });
  yield* inOrder(sources, walk);
  if (indexed.after > whole.after) throw new NotIndexedError('older messages are not indexed yet');
}

interface Part {
  readonly span: Span;
  readonly conversationIds: readonly number[];
}

function clipped(parts: readonly Part[], { after, upTo }: Span): Part[] {
  return parts
    .map((part) => ({ ...part, span: { after: Math.max(part.span.after, after), upTo: Math.min(part.span.upTo, upTo) } }))
    .filter(({ span }) => span.after < span.upTo);
}

function spanning(parts: readonly Part[]): Span {
  const [after, upTo] = [parts.map(({ span }) => span.after), parts.map(({ span }) => span.upTo)];
  return { after: Math.min(...after), upTo: Math.max(...upTo) };
}

/** Conversations with equal spans form parts of at most `mostNamedConversations`. A span from the first message begins at 0. */
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

function inConversations({ reader, member }: NarrowLookups, hints: CombinedHints, scope: Scope, walk: Walk) {
  const own = hints.flags.includes('unread') ? ownMessages.recent(reader, member.id) : undefined;
  return scope.conversationIds().flatMap((conversationId) => {
    const spans = scope.spansOf(conversationId);
    if (spans.length === 0) return [];
    const walked = own ? fewer(unreadSpans(reader, member.id, conversationId, own)) : spans;
    return [inSpans(walked, walk, (part) => candidates.inConversation(reader, member.id, conversationId, hints, part))];
  });
}

const mostGaps = 500;

/** Joins neighbouring spans until at most `mostGaps` are left. Ids between joined spans are then searched too. */
function fewer(spans: readonly Span[]): readonly Span[] {
  const together = Math.ceil(spans.length / mostGaps);
  return spans.flatMap(({ after }, index) => {
    const last = index % together === 0 ? spans[Math.min(index + together, spans.length) - 1] : undefined;
    return last ? [{ after, upTo: last.upTo }] : [];
  });
}

/** @param spans in ascending order. */
function* inSpans(spans: readonly Span[], walk: Walk, read: (part: Walk) => Candidates): Candidates {
  for (const span of walk.direction === 'up' ? spans : spans.toReversed()) {
    const after = Math.max(span.after, walk.span.after);
    const upTo = Math.min(span.upTo, walk.span.upTo);
    if (after < upTo) yield* read({ ...walk, span: { after, upTo } });
  }
}
