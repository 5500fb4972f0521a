import { fold, wordsOf } from '@engawa/folding';
import { type NarrowTerm, maxCharactersRead, maxDirectParticipants, charactersPerText } from '@engawa/protocol';
import { isPublic, publicStreams, visibleStream } from '../conversations/access.ts';
import { type UserName, emailsIn, userNamed } from '../conversations/recipients.ts';
import { conversations } from '../conversations/store.ts';
import { type MembershipRow, memberships } from '../conversations/memberships.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { flagsSeenBy } from '../reading/unread.ts';
import { source } from '../search/source.ts';
import { textsOf } from '../search/text.ts';
import type { Member } from '../identity/member.ts';
import { readableHeaders, featureBits, topicKey } from '../conversations/messageHeaders.ts';
import type { Candidate, Conditions } from './candidates.ts';
import { streams } from '../conversations/streams.ts';

type Operand = NarrowTerm['operand'];

/** What a term says of a message; of its conversation, where that alone tells; or of its text, which must be read. */
export type Test =
  | { readonly of: 'conversation'; readonly holds: (conversationId: number) => boolean }
  | { readonly of: 'message'; readonly holds: (message: Candidate) => boolean }
  | { readonly of: 'text'; readonly words: readonly string[]; readonly holds: (message: Candidate) => boolean };

/** Where that which a term asks for can be found. It tells nothing of the truth: that is the test. */
export interface Whereabouts extends Conditions {
  readonly messageId?: number;
  /** The conversations that are named. */
  readonly conversationIds?: readonly number[];
  readonly flag?: FlagOperand;
  /** Words that stand in it, as `wordsOf` gives them. */
  readonly words?: readonly string[];
}

export interface Term {
  readonly test: Test;
  readonly whereabouts?: Whereabouts;
}

/** The operands of `is` that are told from the flags that a member sees on a message. */
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

/** A resolved topic is one that begins so. */
export const isResolved = (topic: string): boolean => topic.startsWith('✔ ');

/** What the terms of one narrow are told from, looked up when the first term asks for it. */
export interface Knowledge {
  readonly reader: Reader;
  readonly member: Member;
  /** The member's direct conversations with those who take part. */
  readonly directs: () => ReadonlyMap<number, readonly number[]>;
  /** The member's current stays, by conversation. */
  readonly stays: () => ReadonlyMap<number, MembershipRow>;
  /** The public streams that the member can see, and whatever they are in, which is all that a guest sees. */
  readonly openTo: () => readonly number[];
  readonly flags: (message: Candidate) => readonly string[];
  /** What is read in a message, folded; nothing in a deleted one. */
  readonly texts: (message: Candidate) => readonly string[];
}

/** What one call may read of texts, whatever it asks for. */
export class Allowance {
  #left = maxCharactersRead;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(characters: number): void {
    this.#left -= characters;
  }
}

export function knowledgeOf(reader: Reader, member: Member, allowance: Allowance): Knowledge {
  const stays = once(() => {
    const current = memberships.currentOf(reader, member.id);
    return new Map(current.map((stay) => [stay.conversation_id, stay]));
  });
  return {
    reader,
    member,
    directs: once(() => conversations.directsOf(reader, member.id)),
    stays,
    openTo: once(() => {
      const visible = publicStreams(reader, member).map(({ conversation_id }) => conversation_id);
      return [...new Set([...visible, ...stays().keys()])];
    }),
    flags: flagsSeenBy(reader, member.id),
    texts: rememberingLast(({ id }) => {
      const [message] = source.these(reader, [id]);
      allowance.spend(charactersPerText + (message?.content.length ?? 0));
      return !message || message.deleted !== null ? [] : textsOf(message).map(fold);
    }),
  };
}

/** Several terms ask for the same message one after the other. */
function rememberingLast<Value>(look: (message: Candidate) => Value): (message: Candidate) => Value {
  let last: { readonly message: Candidate; readonly value: Value } | undefined;
  return (message) => (last = last?.message === message ? last : { message, value: look(message) }).value;
}

function once<Value>(look: () => Value): () => Value {
  let seen: { readonly value: Value } | undefined;
  return () => (seen ??= { value: look() }).value;
}

/**
 * @throws ChatError BAD_NARROW for an operator that there is not and an operand that means nothing. What the member may
 * not read is as unknown as what does not exist.
 */
export function termOf(knowledge: Knowledge, { operator, operand, negated }: NarrowTerm): Term {
  const read = operators.get(operator);
  if (!read) throw refused.badNarrow(`unknown operator ${operator}`);
  const term = read(knowledge, operand);
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

type Read = (knowledge: Knowledge, operand: Operand) => Term;

const stream: Read = ({ reader, member }, operand) => {
  const named = typeof operand === 'object' ? undefined : visibleStream(reader, member, operand);
  if (!named) throw refused.badNarrow(`unknown stream ${String(operand)}`);
  return {
    test: ofConversation((conversationId) => conversationId === named.conversation_id),
    whereabouts: { conversationIds: [named.conversation_id] },
  };
};

const streamSet: Read = ({ reader, directs, stays, openTo }, operand) => {
  if (operand === 'web-public') return { test: nowhere };
  // Ours: all that may be read in them, also what was said before the member came.
  if (operand === 'subscribed') {
    const isOwn = (id: number) => stays().has(id) && !directs().has(id);
    return { test: ofConversation(isOwn), whereabouts: { conversationIds: [...stays().keys()].filter(isOwn) } };
  }
  if (operand !== 'public') throw refused.badNarrow(`unknown streams operand ${String(operand)}`);
  return {
    test: ofConversation((conversationId) => isPublic(streams.byId(reader, conversationId))),
    whereabouts: { conversationIds: openTo() },
  };
};

const topic: Read = (_, operand) => {
  const wanted = topicKey(String(operand));
  return { test: ofMessage(({ topic_key }) => topic_key === wanted), whereabouts: { topicKey: wanted } };
};

const sender: Read = ({ reader }, operand) => {
  const { id } = userIn(reader, operand);
  return { test: ofMessage(({ sender_id }) => sender_id === id), whereabouts: { senderId: id } };
};

function userIn(reader: Reader, operand: Operand): { readonly id: number } {
  const user = typeof operand === 'object' ? undefined : userNamed(reader, operand);
  if (!user) throw refused.badNarrow(`unknown user ${String(operand)}`);
  return user;
}

const direct: Read = ({ reader, member }, operand) => {
  const others = namesIn(operand).map((name) => userNamed(reader, name)?.id);
  const known = others.filter((id) => id !== undefined);
  if (known.length === 0 || known.length < others.length) throw refused.badNarrow(`unknown user in ${String(operand)}`);
  const conversationId = conversations.directOf(reader, [member.id, ...known]);
  if (conversationId === undefined) return { test: nowhere };
  return {
    test: ofConversation((id) => id === conversationId),
    whereabouts: { conversationIds: [conversationId] },
  };
};

/** Nobody where there are too many for a conversation. */
function namesIn(operand: Operand): UserName[] {
  const names = typeof operand === 'string' ? emailsIn(operand) : [operand].flat();
  return names.length > maxDirectParticipants ? [] : names;
}

const directIncluding: Read = ({ reader, directs }, operand) => {
  const { id } = userIn(reader, operand);
  return { test: ofConversation((conversationId) => directs().get(conversationId)?.includes(id) ?? false) };
};

const groupIncluding: Read = ({ reader, directs }, operand) => {
  const { id } = userIn(reader, operand);
  return {
    test: ofConversation((conversationId) => {
      const participants = directs().get(conversationId) ?? [];
      return participants.length > 2 && participants.includes(id);
    }),
  };
};

const is: Read = ({ directs, stays, flags }, operand) => {
  if (typeof operand === 'string' && isFlagOperand(operand)) {
    return { test: ofMessage((message) => flagTests[operand](flags(message))), whereabouts: { flag: operand } };
  }
  switch (operand) {
    case 'dm':
    case 'private':
      return { test: ofConversation((conversationId) => directs().has(conversationId)) };
    case 'muted':
      return { test: ofConversation((conversationId) => stays().get(conversationId)?.is_muted === 1) };
    case 'resolved':
      return { test: ofMessage(({ topic_key }) => isResolved(topic_key)) };
    case 'followed':
      return { test: nowhere };
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
        whereabouts: { feature: operand },
      };
    case 'reaction':
      return { test: ofMessage(({ reacted }) => reacted === 1) };
    default:
      throw refused.badNarrow(`unknown 'has' operand ${String(operand)}`);
  }
};

const inside: Read = ({ stays }, operand) => {
  if (operand === 'all') return { test: everywhere };
  // Ours: all that may be read in them, streams and direct ones, also what was said there before the member came.
  if (operand === 'own') {
    return { test: ofConversation((id) => stays().has(id)), whereabouts: { conversationIds: [...stays().keys()] } };
  }
  if (operand !== 'home') throw refused.badNarrow(`unknown 'in' operand ${String(operand)}`);
  return { test: ofConversation((conversationId) => stays().get(conversationId)?.is_muted !== 1) };
};

const id: Read = (_, operand) => {
  const wanted = messageIdIn(operand);
  return { test: ofMessage((message) => message.id === wanted), whereabouts: { messageId: wanted } };
};

/** The conversation and the topic in which a message is now. */
const withMessage: Read = ({ reader, member }, operand) => {
  const [place] = readableHeaders(reader, member, [messageIdIn(operand)]);
  if (!place) throw invalidMessageId();
  const { conversation_id: conversationId } = place;
  const wanted = topicKey(place.topic);
  return {
    test: ofMessage((message) => message.conversation_id === conversationId && message.topic_key === wanted),
    whereabouts: { conversationIds: [conversationId], topicKey: wanted },
  };
};

function messageIdIn(operand: Operand): number {
  if (!/^\d{1,15}$/.test(String(operand))) throw invalidMessageId();
  return Number(operand);
}

const invalidMessageId = () => refused.badNarrow('Invalid message ID');

/** All words are somewhere in what is read of a message, whole or as a part of others. */
const search: Read = ({ texts }, operand) => {
  const words = wordsOf(String(operand));
  if (words.length === 0) throw refused.badNarrow('nothing to search for');
  const holds = (message: Candidate) => words.every((word) => texts(message).some((text) => text.includes(word)));
  return { test: { of: 'text', words, holds }, whereabouts: { words } };
};

/** It says only where a screen should open. */
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
  ['dm-including', directIncluding],
  ['group-pm-with', groupIncluding],
  ['is', is],
  ['has', has],
  ['in', inside],
  ['id', id],
  ['with', withMessage],
  ['near', near],
  ['search', search],
]);
