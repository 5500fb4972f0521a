import { type AnswerOut, type getMessages, newestAnchor } from '@engawa/protocol';
import { expect } from 'vitest';
import { around } from '../testing/around.ts';
import { copyOf, isIn, sees } from './model/access.ts';
import { type Message, type User, ascending } from './model/model.ts';
import { isMention, isUnread, readable, received } from './model/reading.ts';
import { holdsWords, sameTopic } from './model/words.ts';
import { type Viewer, expectedMessage, seenIn } from './shown.ts';
import type { Fetching, Term } from './step.ts';

/** Whether a narrow names a stream that is not there for the member. */
export function isRefused({ model, user }: Viewer, { narrow }: Fetching): boolean {
  return narrow.some(({ operator, operand }) => {
    const stream = operator === 'stream' ? model.streams.get(operand) : undefined;
    return stream !== undefined && !sees(user, stream);
  });
}

export function expectFetched(answer: AnswerOut<typeof getMessages>, fetching: Fetching, viewer: Viewer): void {
  const found = within(viewer, fetching.narrow);
  const { messages, ...range } = answer;
  const expected = around(
    found.map(({ id }) => id),
    {
      anchor: anchorOf(
        fetching,
        found.filter((message) => isUnread(message, viewer.user)),
      ),
      num_before: fetching.before,
      num_after: fetching.after,
      include_anchor: true,
    },
  );
  expect({ ...range, ids: messages.map(({ id }) => id) }).toEqual(expected);
  const shown = found.filter(({ id }) => expected.ids.includes(id));
  expect(messages.map(seenIn)).toEqual(shown.map((message) => expectedMessage(viewer, message)));
}

/** What names a conversation, and what is starred, is sought in all that may be read; else what was sent to one. */
function within({ model, user }: Viewer, narrow: readonly Term[]): Message[] {
  const isWide = narrow.some(({ operator, operand }) => {
    return operator === 'stream' || operator === 'streams' || operator === 'dm' || operand === 'starred';
  });
  const scope = isWide ? readable(model, user) : received(model, user);
  return scope.filter((message) => narrow.every((term) => holds(term, message, user)));
}

function holds({ operator, operand }: Term, message: Message, user: User): boolean {
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
      return holdsWords(message, operand);
    case 'dm':
      return place.kind === 'direct' && ascending(new Set([user.id, ...operand])).join() === place.participants.join();
    case 'is':
      return isSo(operand, message, user);
  }
}

function isSo(operand: Extract<Term, { operator: 'is' }>['operand'], message: Message, user: User): boolean {
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

function anchorOf({ anchor }: Fetching, unread: readonly Message[]): number {
  if (anchor === 'newest') return newestAnchor;
  if (anchor === 'oldest') return 0;
  if (anchor === 'first_unread') return unread[0]?.id ?? newestAnchor;
  return anchor;
}
