import { fold, wordsOf } from '@engawa/folding';
import { type NarrowTerm, maxDirectParticipants, charactersPerText, topicKey } from '@engawa/protocol';
import { isPublic, publicStreams, visibleStream } from '../conversations/access.ts';
import { type UserName, emailsIn, userNamed } from '../conversations/recipients.ts';
import { conversations } from '../conversations/store.ts';
import { type MembershipRow, memberships } from '../conversations/memberships.ts';
import { type TopicVisibility, topicVisibility } from '../conversations/userTopics.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { flagsSeenBy } from '../reading/unread.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import { source } from '../search/source.ts';
import { textsOf } from '../search/text.ts';
import type { Member } from '../identity/member.ts';
import { readableHeaders, featureBits } from '../conversations/messageHeaders.ts';
import type { Candidate, Conditions } from './candidates.ts';
import { streams } from '../conversations/streams.ts';

type Operand = NarrowTerm['operand'];

/** A test of a message, of its conversation only, or of its text, which must be loaded first. */
export type Test =
  | { readonly of: 'conversation'; readonly holds: (conversationId: number) => boolean }
  | { readonly of: 'message'; readonly holds: (message: Candidate) => boolean }
  | { readonly of: 'text'; readonly words: readonly string[]; readonly holds: (message: Candidate) => boolean };

/** Conditions by which an index finds candidates for a term. The term's test decides about each candidate. */
export interface Hints extends Conditions {
  readonly messageId?: number;
  readonly conversationIds?: readonly number[];
  readonly flag?: FlagOperand;
  readonly words?: readonly string[];
}

export interface Term {
  readonly test: Test;
  readonly hints?: Hints;
}

export const flagTests = {
  starred: (flags: readonly string[]) => flags.includes('starred'),
  unread: (flags: readonly string[]) => !flags.includes('read'),
  mentioned: (flags: readonly string[]) => flags.includes('mentioned') || flags.includes('wildcard_mentioned'),
  alerted: (flags: readonly string[]) => flags.includes('has_alert_word'),
} as const;
export type FlagOperand = keyof typeof flagTests;

export function isFlagOperand(operand: string): operand is FlagOperand {
  return Object.hasOwn(flagTests, operand);
}

export const isResolved = (topic: string): boolean => topic.startsWith('✔ ');

export interface NarrowLookups {
  readonly index: FindsWords;
  readonly reader: Reader;
  readonly member: Member;
  readonly directs: () => ReadonlyMap<number, readonly number[]>;
  readonly currentMemberships: () => ReadonlyMap<number, MembershipRow>;
  /** The member's choices for topics. */
  readonly topicsOf: () => TopicVisibility;
  /** The member's own conversations and the public streams that they can see. */
  readonly visible: () => readonly number[];
  readonly flags: (message: Candidate) => readonly string[];
  /** The folded texts of a message; empty for a deleted message. */
  readonly texts: (message: Candidate) => readonly string[];
}

interface Allowance {
  characters: number;
}

export type FindsWords = Pick<SearchIndex, 'find' | 'indexed'>;

export interface NarrowDependencies {
  readonly index: FindsWords;
  readonly allowance: Allowance;
}

export function narrowLookups(reader: Reader, member: Member, { index, allowance }: NarrowDependencies): NarrowLookups {
  const currentMemberships = once(() => {
    const current = memberships.currentOf(reader, member.id);
    return new Map(current.map((membership) => [membership.conversation_id, membership]));
  });
  return {
    reader,
    member,
    index,
    directs: once(() => conversations.directsOf(reader, member.id)),
    currentMemberships,
    topicsOf: once(() => topicVisibility(reader, member.id)),
    visible: once(() => {
      const publicIds = publicStreams(reader, member).map(({ conversation_id }) => conversation_id);
      return [...new Set([...publicIds, ...currentMemberships().keys()])];
    }),
    flags: flagsSeenBy(reader, member.id),
    texts: rememberingLast(({ id }) => {
      const [message] = source.these(reader, [id]);
      allowance.characters -= charactersPerText + (message?.content.length ?? 0);
      return !message || message.deleted !== null ? [] : textsOf(message).map(fold);
    }),
  };
}

/** Remembers the value of the last message, because several terms test one message in sequence. */
function rememberingLast<Value>(look: (message: Candidate) => Value): (message: Candidate) => Value {
  let last: { readonly message: Candidate; readonly value: Value } | undefined;
  return (message) => (last = last?.message === message ? last : { message, value: look(message) }).value;
}

function once<Value>(look: () => Value): () => Value {
  let seen: { readonly value: Value } | undefined;
  return () => (seen ??= { value: look() }).value;
}

/** @throws ChatError BAD_NARROW for an unknown operator or operand. An operand that the member may not read counts as unknown. */
export function termOf(lookups: NarrowLookups, { operator, operand, negated }: NarrowTerm): Term {
  const read = operators.get(operator);
  if (!read) throw refused.badNarrow(`unknown operator ${operator}`);
  const term = read(lookups, operand);
  return negated ? { test: not(term.test) } : term;
}

function not(test: Test): Test {
  return test.of === 'conversation'
    ? { ...test, holds: (conversationId: number) => !test.holds(conversationId) }
    : { ...test, holds: (message: Candidate) => !test.holds(message) };
}

const ofMessage = (holds: (message: Candidate) => boolean): Test => ({ of: 'message', holds });
const ofConversation = (holds: (conversationId: number) => boolean): Test => ({ of: 'conversation', holds });
const everywhere = ofConversation(() => true);
const nowhere = ofConversation(() => false);

type Read = (lookups: NarrowLookups, operand: Operand) => Term;

const stream: Read = ({ reader, member }, operand) => {
  const named = typeof operand === 'object' ? undefined : visibleStream(reader, member, operand);
  if (!named) throw refused.badNarrow(`unknown stream ${String(operand)}`);
  return inConversation(named.conversation_id);
};

const inConversation = (conversationId: number): Term => ({
  test: ofConversation((id) => id === conversationId),
  hints: { conversationIds: [conversationId] },
});

const streamSet: Read = ({ reader, directs, currentMemberships, visible }, operand) => {
  if (operand === 'web-public') return { test: nowhere };
  // An addition to Zulip's operators: all readable messages, including those sent before the subscription.
  if (operand === 'subscribed') {
    const isOwn = (id: number) => currentMemberships().has(id) && !directs().has(id);
    return { test: ofConversation(isOwn), hints: { conversationIds: [...currentMemberships().keys()].filter(isOwn) } };
  }
  if (operand !== 'public') throw refused.badNarrow(`unknown streams operand ${String(operand)}`);
  return {
    test: ofConversation((conversationId) => isPublic(streams.byId(reader, conversationId))),
    hints: { conversationIds: visible() },
  };
};

const topic: Read = (_, operand) => {
  const wanted = topicKey(String(operand));
  return { test: ofMessage(({ topic_key }) => topic_key === wanted), hints: { topicKey: wanted } };
};

const sender: Read = ({ reader, member }, operand) => {
  const { id } = userIn(reader, member, operand);
  return { test: ofMessage(({ sender_id }) => sender_id === id), hints: { senderId: id } };
};

function userIn(reader: Reader, member: Member, operand: Operand): { readonly id: number } {
  const user = typeof operand === 'object' ? undefined : userNamed(reader, member, operand);
  if (!user) throw refused.badNarrow(`unknown user ${String(operand)}`);
  return user;
}

const direct: Read = ({ reader, member }, operand) => {
  const others = namesIn(operand).map((name) => userNamed(reader, member, name)?.id);
  const known = others.filter((id) => id !== undefined);
  if (known.length === 0 || known.length < others.length) throw refused.badNarrow(`unknown user in ${String(operand)}`);
  const conversationId = conversations.directOf(reader, [member.id, ...known]);
  return conversationId === undefined ? { test: nowhere } : inConversation(conversationId);
};

/** @returns an empty list if the operand has too many names for a conversation. */
function namesIn(operand: Operand): UserName[] {
  const names = typeof operand === 'string' ? emailsIn(operand) : [operand].flat();
  return names.length > maxDirectParticipants ? [] : names;
}

/** Finds direct conversations that include a user and have at least `least` participants. */
const directIncluding =
  (least: number): Read =>
  ({ reader, member, directs }, operand) => {
    const { id } = userIn(reader, member, operand);
    const holds = (participants: readonly number[]) => participants.length >= least && participants.includes(id);
    return { test: ofConversation((conversationId) => holds(directs().get(conversationId) ?? [])) };
  };

/** Without settings for topics the conversation decides, so that muted streams are not searched. */
function mutedTest({ currentMemberships, topicsOf }: NarrowLookups): Test {
  const isStreamMuted = (conversationId: number) => currentMemberships().get(conversationId)?.is_muted === 1;
  const { isEmpty, isMuted } = topicsOf();
  if (isEmpty) return ofConversation(isStreamMuted);
  return ofMessage(({ conversation_id: id, topic_key }) => isMuted(id, topic_key, isStreamMuted(id)));
}

const is: Read = (lookups, operand) => {
  const { directs, topicsOf, flags } = lookups;
  if (typeof operand === 'string' && isFlagOperand(operand)) {
    return { test: ofMessage((message) => flagTests[operand](flags(message))), hints: { flag: operand } };
  }
  switch (operand) {
    case 'dm':
    case 'private':
      return { test: ofConversation((conversationId) => directs().has(conversationId)) };
    case 'muted':
      return { test: mutedTest(lookups) };
    case 'resolved':
      return { test: ofMessage(({ topic_key }) => isResolved(topic_key)) };
    case 'followed': {
      const { isEmpty, isFollowed } = topicsOf();
      if (isEmpty) return { test: nowhere };
      return { test: ofMessage(({ conversation_id, topic_key }) => isFollowed(conversation_id, topic_key)) };
    }
    default:
      throw refused.badNarrow(`unknown 'is' operand ${String(operand)}`);
  }
};

const has: Read = (_, operand) => {
  switch (operand) {
    case 'link':
    case 'image':
    case 'attachment':
      return {
        test: ofMessage(({ features }) => (features & featureBits[operand]) !== 0),
        hints: { feature: operand },
      };
    case 'reaction':
      return { test: ofMessage(({ reacted }) => reacted === 1) };
    default:
      throw refused.badNarrow(`unknown 'has' operand ${String(operand)}`);
  }
};

const inside: Read = (lookups, operand) => {
  const { currentMemberships } = lookups;
  if (operand === 'all') return { test: everywhere };
  // An addition to Zulip's operators: all readable messages in the member's conversations, even from before the membership.
  if (operand === 'own') {
    return {
      test: ofConversation((id) => currentMemberships().has(id)),
      hints: { conversationIds: [...currentMemberships().keys()] },
    };
  }
  if (operand !== 'home') throw refused.badNarrow(`unknown 'in' operand ${String(operand)}`);
  return { test: not(mutedTest(lookups)) };
};

const id: Read = (_, operand) => {
  const wanted = messageIdIn(operand);
  return { test: ofMessage((message) => message.id === wanted), hints: { messageId: wanted } };
};

const withMessage: Read = ({ reader, member }, operand) => {
  const [place] = readableHeaders(reader, member, [messageIdIn(operand)]);
  if (!place) throw invalidMessageId();
  const { conversation_id: conversationId } = place;
  const wanted = topicKey(place.topic);
  return {
    test: ofMessage((message) => message.conversation_id === conversationId && message.topic_key === wanted),
    hints: { conversationIds: [conversationId], topicKey: wanted },
  };
};

function messageIdIn(operand: Operand): number {
  if (!/^\d{1,15}$/.test(String(operand))) throw invalidMessageId();
  return Number(operand);
}

const invalidMessageId = () => refused.badNarrow('Invalid message ID');

const search: Read = ({ texts }, operand) => {
  const words = wordsOf(String(operand));
  if (words.length === 0) throw refused.badNarrow('nothing to search for');
  const holds = (message: Candidate) => words.every((word) => texts(message).some((text) => text.includes(word)));
  return { test: { of: 'text', words, holds }, hints: { words } };
};

/** Matches everything, because clients use this operator only for their scroll position. */
const near: Read = () => ({ test: everywhere });

const operators: ReadonlyMap<string, Read> = new Map([
  ['stream', stream],
  ['channel', stream],
  ['streams', streamSet],
  ['channels', streamSet],
  ['topic', topic],
  ['subject', topic],
  ['sender', sender],
  ['dm', direct],
  ['pm-with', direct],
  ['pm_with', direct],
  ['dm-including', directIncluding(1)],
  ['group-pm-with', directIncluding(3)],
  ['is', is],
  ['has', has],
  ['in', inside],
  ['id', id],
  ['with', withMessage],
  ['near', near],
  ['search', search],
]);
