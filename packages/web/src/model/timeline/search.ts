/** Searches messages by words and filters (R2.9.1). */
import type { Capability } from '@engawa/protocol/product';
import { getMessages } from '@engawa/client';
import { wordsOf } from '@engawa/folding';
import { dialectOf, type Dialect } from '@engawa/markup';
import { parseFileMessage, type FileMessage, type Message } from '@engawa/protocol';
import { beginIn } from '../people/zone.ts';
import { conversationOf, isDirect, participantsIn, type ConversationKey } from '../streams/conversation.ts';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { idsAround, type IdRange } from './dateSearch.ts';
import type { TimelinesState } from './state.ts';

export interface SearchConditions {
  /** Words separated by blanks, or in quotation marks; may be empty if there are filters. */
  readonly query: string;
  readonly conversation: ConversationKey | undefined;
  readonly senderId: number | undefined;
  /** Days in the member's time zone, as `2026-11-20`, both included, in either order. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly hasFile: boolean;
}

export interface Hit {
  readonly messageId: number;
  readonly conversation: ConversationKey;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly avatarUrl: string | undefined;
  readonly timestamp: number;
  readonly content: string;
  readonly dialect: Dialect;
  readonly topic: string;
  readonly file: FileMessage | undefined;
}

export interface HitPage {
  readonly hits: readonly Hit[];
  /** The next page has the messages before this one; undefined if there are no more. */
  readonly next: number | undefined;
}

export interface SearchBounds {
  /** Searches messages before this one only; undefined: all. */
  readonly before: number | undefined;
  readonly most: number;
}

/** Largest number of calls per page of hits, because a server scans a limited number of messages in each call. */
const mostCalls = 5;
const secondsInDay = 86_400;

export const nothing: SearchConditions = {
  query: '',
  conversation: undefined,
  senderId: undefined,
  from: undefined,
  to: undefined,
  hasFile: false,
};

export function isNothing({ query, senderId, from, to, hasFile }: SearchConditions): boolean {
  const filtered = senderId !== undefined || from !== undefined || to !== undefined || hasFile;
  return !filtered && wordsOf(query).length === 0;
}

export function isSame(one: SearchConditions, other: SearchConditions | undefined): boolean {
  const fields = ['conversation', 'senderId', 'from', 'to', 'hasFile'] as const;
  if (!other || fields.some((field) => one[field] !== other[field])) return false;
  return wordsOf(one.query).join('\n') === wordsOf(other.query).join('\n');
}

/** Pages of a search on a server that does not find the product's files: each is examined here. */
const examinedPerCall = 500;

export type Search = (
  zone: string,
  conditions: SearchConditions,
  bounds: SearchBounds,
  signal: AbortSignal,
) => Promise<HitPage | Failure>;

/** `zone`: the time zone in which the days of the conditions begin and end. */
export function createSearch(context: ModelContext<TimelinesState>): Search {
  const { capabilities, judge, stop } = context;
  const anchors = createAnchors(context);

  return async (zone, conditions, { before, most }, given) => {
    const signal = AbortSignal.any([stop, given]);
    const { since, until } = spanOf(conditions, zone);
    const isExamined = conditions.hasFile && !capabilities.includes('file_narrow');
    const narrow = narrowOf({ ...conditions, hasFile: conditions.hasFile && !isExamined }, capabilities);
    const usual = { num_after: 0, apply_markdown: false, client_gravatar: false, narrow };

    const pageBefore = async (id: number | undefined, count: number) => {
      const anchor = id === undefined ? await anchors.before(until, signal) : { anchor: String(id), include_anchor: false };
      const num_before = isExamined ? examinedPerCall : count;
      return getMessages(context.connection, { ...usual, ...anchor, num_before }, { signal });
    };

    const look = async (): Promise<HitPage> => {
      const oldest = since === -Infinity ? 0 : await anchors.lastIdBefore(since, narrow, signal);
      const hits: Hit[] = [];
      let next = before;
      for (let calls = 0; calls < mostCalls && hits.length < most; calls += 1) {
        const page = await pageBefore(next, most - hits.length);
        const inSpan = page.messages.filter(({ timestamp }) => since <= timestamp && timestamp < until);
        const found = inSpan.toReversed().flatMap(hitOf);
        hits.push(...(isExamined ? found.filter(hasFile) : found));
        next = page.found_oldest ? undefined : (page.oldest_examined ?? page.messages[0]?.id);
        if (next !== undefined && next <= oldest) next = undefined;
        if (next === undefined) break;
      }
      return isExamined ? cutTo(most, hits, next) : { hits, next };
    };

    try {
      return await look();
    } catch (error) {
      return signal.aborted ? { kind: 'network' } : judge(error);
    }
  };
}

/** An examined page may have more hits than were requested. The next page begins after those. */
function cutTo(most: number, hits: readonly Hit[], next: number | undefined): HitPage {
  const shown = hits.slice(0, most);
  return { hits: shown, next: shown.length < hits.length ? shown.at(-1)?.messageId : next };
}

/** Whether a message has a file of the product, or one that another client has uploaded to the chat server. */
const hasFile = ({ file, content }: Hit): boolean => file !== undefined || content.includes('](/user_uploads/');

type Narrow = ReturnType<typeof narrowOf>;

function createAnchors({ connection, capabilities, store, clock }: ModelContext<TimelinesState>) {
  const hasDates = capabilities.includes('date_anchor');
  const found = new Map<number, IdRange>();

  async function idsAt(seconds: number, signal: AbortSignal): Promise<IdRange> {
    const ids = found.get(seconds) ?? (await idsAround(seconds, store.state().maxMessageId, connection, signal));
    found.set(seconds, ids);
    return ids;
  }

  return {
    /** The anchor for the page of messages before a moment, in Unix seconds. */
    async before(until: number, signal: AbortSignal) {
      if (until === Infinity) return { anchor: 'newest' };
      if (hasDates) return anchorAt(until);
      if (until * 1000 > clock.now()) return { anchor: 'newest' };
      return { anchor: String((await idsAt(until, signal)).high) };
    },
    async lastIdBefore(since: number, narrow: Narrow, signal: AbortSignal): Promise<number> {
      if (!hasDates) return (await idsAt(since, signal)).low;
      const at = { ...anchorAt(since), num_before: 0, num_after: 0, apply_markdown: false, client_gravatar: false, narrow };
      return (await getMessages(connection, at, { signal })).anchor;
    },
  };
}

/** Unix seconds. `since` is included, `until` is not. */
function spanOf({ from, to }: SearchConditions, zone: string): { readonly since: number; readonly until: number } {
  const [first, last] = from !== undefined && to !== undefined && to < from ? [to, from] : [from, to];
  return {
    since: first === undefined ? -Infinity : beginIn(zone, dayOf(first)),
    until: last === undefined ? Infinity : beginIn(zone, dayOf(last) + 1),
  };
}

function dayOf(day: string): number {
  return Date.parse(day) / 1000 / secondsInDay;
}

function anchorAt(seconds: number) {
  return { anchor: 'date', anchor_date: new Date(seconds * 1000).toISOString() };
}

function narrowOf({ query, conversation, senderId, hasFile }: SearchConditions, capabilities: readonly Capability[]) {
  // Servers without this operator search all that was sent to the member anyway.
  const everywhere = capabilities.includes('in_own') ? [{ operator: 'in', operand: 'own' }] : [];
  return [
    ...(conversation === undefined ? everywhere : [within(conversation)]),
    ...(senderId === undefined ? [] : [{ operator: 'sender', operand: senderId }]),
    ...(hasFile ? [{ operator: 'has', operand: 'attachment' }] : []),
    ...(wordsOf(query).length === 0 ? [] : [{ operator: 'search', operand: query.replace(/[“”＂]/g, '"') }]),
  ];
}

/** Names a stream by its id, because the search may continue after the stream is renamed. */
function within(conversation: ConversationKey) {
  return isDirect(conversation)
    ? { operator: 'dm', operand: [...participantsIn(conversation)] }
    : { operator: 'stream', operand: conversation };
}

function hitOf({ id, ...message }: Message): Hit[] {
  const conversation = conversationOf(message);
  if (conversation === undefined) return [];
  return [
    {
      messageId: id,
      conversation,
      senderId: message.sender_id,
      senderFullName: message.sender_full_name,
      avatarUrl: message.avatar_url ?? undefined,
      timestamp: message.timestamp,
      content: message.content,
      dialect: dialectOf(message.client),
      topic: message.subject,
      file: parseFileMessage(message.content),
    },
  ];
}
