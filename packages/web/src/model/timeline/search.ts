/** Searches messages by words and filters (R2.9.1). */
import type { Capability } from '@engawa/protocol/product';
import { getMessages } from '@engawa/client';
import { wordsOf } from '@engawa/folding';
import { parseFileMessage, type FileMessage, type Message } from '@engawa/protocol';
import { beginIn } from '../people/zone.ts';
import { conversationOf, isDirect, participantsIn, type ConversationKey } from '../streams/conversation.ts';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
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

/** @param zone The time zone in which the days of the conditions begin and end. */
export function searchBy({ connection, capabilities, judge, stop }: ModelContext<TimelinesState>, zone: string) {
  return async (sought: SearchConditions, { before, most }: SearchBounds, given: AbortSignal): Promise<HitPage | Failure> => {
    const signal = AbortSignal.any([stop, given]);
    const { since, until } = spanOf(sought, zone);
    const narrow = narrowOf(sought, capabilities);
    const usual = { num_after: 0, apply_markdown: false, client_gravatar: false, narrow };

    const idAt = async (seconds: number) => {
      const { anchor } = await getMessages(connection, { ...usual, ...anchorAt(seconds), num_before: 0 }, { signal });
      return anchor;
    };
    const pageBefore = (id: number | undefined, count: number) => {
      const newest = until === Infinity ? { anchor: 'newest' } : anchorAt(until);
      const anchor = id === undefined ? newest : { anchor: String(id), include_anchor: false };
      return getMessages(connection, { ...usual, ...anchor, num_before: count }, { signal });
    };

    const look = async (): Promise<HitPage> => {
      const oldest = since === -Infinity ? 0 : await idAt(since);
      const hits: Hit[] = [];
      let next = before;
      for (let calls = 0; calls < mostCalls && hits.length < most; calls += 1) {
        const page = await pageBefore(next, most - hits.length);
        const inSpan = page.messages.filter(({ timestamp }) => since <= timestamp && timestamp < until);
        hits.push(...inSpan.toReversed().flatMap(hitOf));
        next = page.found_oldest ? undefined : (page.oldest_examined ?? page.messages[0]?.id);
        if (next !== undefined && next <= oldest) next = undefined;
        if (next === undefined) break;
      }
      return { hits, next };
    };

    try {
      return await look();
    } catch (error) {
      return signal.aborted ? { kind: 'network' } : judge(error);
    }
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
    ...(wordsOf(query).length === 0 ? [] : [{ operator: 'search', operand: query }]),
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
      topic: message.subject,
      file: parseFileMessage(message.content),
    },
  ];
}
