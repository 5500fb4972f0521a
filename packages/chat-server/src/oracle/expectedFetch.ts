import { type AnswerOut, type getMessages, newestAnchor } from '@engawa/protocol';
import { expect } from 'vitest';
import { expectedRange } from '../testing/expectedRange.ts';
import { copyOf, isIn, canSee, seesUser } from './model/access.ts';
import { type Message, type User, ascending } from './model/model.ts';
import { isMention, isUnread, readable, received } from './model/reading.ts';
import { containsWords, sameTopic } from './model/text.ts';
import { type Viewer, expectedMessage, comparableMessage } from './expectedMessage.ts';
import type { FetchRequest, Term } from './step.ts';

/** Whether the narrow names a stream or user that the member cannot see. */
export function isRefused({ model, user }: Viewer, { narrow }: FetchRequest): boolean {
  return narrow.some(({ operator, operand }) => {
    if (operator === 'sender') return !seesUser(model, user, operand);
    if (operator === 'dm') return operand.some((id) => !seesUser(model, user, id));
    const stream = operator === 'stream' ? model.streams.get(operand) : undefined;
    return stream !== undefined && !canSee(user, stream);
  });
}

export function expectFetched(answer: AnswerOut<typeof getMessages>, request: FetchRequest, viewer: Viewer): void {
  const found = within(viewer, request.narrow);
  const { messages, ...range } = answer;
  const expected = expectedRange(
    found.map(({ id }) => id),
    {
      anchor: anchorOf(
        request,
        found.filter((message) => isUnread(message, viewer.user)),
      ),
      num_before: request.before,
      num_after: request.after,
      include_anchor: true,
    },
  );
  expect({ ...range, ids: messages.map(({ id }) => id) }).toEqual(expected);
  const fetched = found.filter(({ id }) => expected.ids.includes(id));
  expect(messages.map(comparableMessage)).toEqual(fetched.map((message) => expectedMessage(viewer, message)));
}

/** Narrows that name a conversation, and starred messages, search everything readable. Others search received messages. */
function within({ model, user }: Viewer, narrow: readonly Term[]): Message[] {
  const isWide = narrow.some(({ operator, operand }) => {
    return operator === 'stream' || operator === 'streams' || operator === 'dm' || operand === 'starred';
  });
  const scope = isWide ? readable(model, user) : received(model, user);
  return scope.filter((message) => narrow.every((term) => matches(term, message, user)));
}

function matches({ operator, operand }: Term, message: Message, user: User): boolean {
  const { place } = message;
  switch (operator) {
    case 'stream':
      return place.kind === 'stream' && place.id === operand;
    case 'streams':
      return place.kind === 'stream' && place.isPublic;
    case 'sender':
      return message.sender === operand;
    case 'topic':
      return sameTopic(message.topic, operand);
    case 'search':
      return containsWords(message, operand);
    case 'dm':
      return place.kind === 'direct' && ascending(new Set([user.id, ...operand])).join() === place.participants.join();
    case 'is':
      return isTrue(operand, message, user);
  }
}

function isTrue(operand: Extract<Term, { operator: 'is' }>['operand'], message: Message, user: User): boolean {
  switch (operand) {
    case 'dm':
      return message.place.kind === 'direct' && isIn(message.place, user);
    case 'starred':
      return copyOf(message, user).marks.has('starred');
    case 'unread':
      return isUnread(message, user);
    case 'mentioned':
      return isMention(message, user);
    case 'alerted':
      return copyOf(message, user).marks.has('has_alert_word');
  }
}

function anchorOf({ anchor }: FetchRequest, unread: readonly Message[]): number {
  if (anchor === 'newest') return newestAnchor;
  if (anchor === 'oldest') return 0;
  if (anchor === 'first_unread') return unread[0]?.id ?? newestAnchor;
  return anchor;
}
