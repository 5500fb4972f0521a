import { type AnswerOut, type ServerEvent, type getMessages, newestAnchor, type registerQueue } from '@engawa/protocol';
import { expect } from 'vitest';
import { around } from '../testing/around.ts';
import type { Follower, State } from './follower.ts';
import { type Model, type ModelEvent, ascending } from './model.ts';
import type { Fetching } from './step.ts';

/** The ids that the server gave to what the model names. */
export interface Names {
  user(email: string): number;
  stream(name: string): number;
}

/** What a client has followed is what register answers, and both are what the model says. */
export function expectSameState(followed: State, registered: State, model: Model, member: string, names: Names): void {
  expect(followed).toEqual(registered);
  if (registered.unread) expect(ascending([...registered.unread.keys()])).toEqual(model.unread(member));
  if (registered.starred) expect(ascending([...registered.starred])).toEqual(model.starred(member));
  if (registered.maxMessageId !== undefined) expect(registered.maxMessageId).toBe(model.received(member).at(-1) ?? -1);
  if (registered.subscriptions) {
    expect(registered.subscriptions).toEqual(
      new Map(
        model.subscriptions(member).map((name) => [
          names.stream(name),
          {
            name,
            firstMessageId: model.firstMessage(name),
            subscribers: ascending(model.subscribers(name).map(names.user)),
          },
        ]),
      ),
    );
  }
}

/** Unread messages stand under their stream and topic; topics that differ only in case are one. */
export function expectUnreadPlaces(
  answer: AnswerOut<typeof registerQueue>,
  model: Model,
  member: string,
  names: Names,
): void {
  const listed = answer.unread_msgs?.streams.map((each) => ({ ...each, topic: each.topic.toLowerCase() }));
  const unread = model.unread(member).map((id) => model.message(id));
  const places = Map.groupBy(unread, ({ stream, topic }) => `${names.stream(stream)} ${topic.toLowerCase()}`);
  const expected = [...places.values()].map((messages) => ({
    stream_id: names.stream(messages[0]?.stream ?? ''),
    topic: messages[0]?.topic.toLowerCase(),
    unread_message_ids: messages.map(({ id }) => id),
  }));
  expect(listed).toHaveLength(expected.length);
  expect(listed).toEqual(expect.arrayContaining(expected));
}

/** Every event that its member was told, once and in order. */
export function expectHeard({ member, kind, since, heard }: Follower, model: Model, names: Names): void {
  const types = kind === 'messages' ? ['message'] : ['message', 'update_message_flags', 'subscription'];
  const told = model.told(member).slice(since).filter(({ type }) => types.includes(type));
  const events = heard.filter(({ type }) => type !== 'heartbeat');
  expect(events.map(wordsOf)).toEqual(told.map((event) => words(event, names)));
}

function words(event: ModelEvent, names: Names): string {
  if (event.type === 'message') return `message ${event.id}`;
  if (event.type === 'update_message_flags') return `${event.op} ${event.flag} ${event.ids.join()}`;
  if (event.op === 'add') return `added to ${names.stream(event.stream)}`;
  return `${names.user(event.who)} added to ${names.stream(event.stream)}`;
}

function wordsOf(event: ServerEvent): string {
  if (event.type === 'message') return `message ${event.message.id}`;
  if (event.type === 'update_message_flags') return `${event.op} ${event.flag} ${ascending(event.messages).join()}`;
  if (event.type !== 'subscription') return event.type;
  if (event.op === 'add') return event.subscriptions.map(({ stream_id }) => `added to ${stream_id}`).join();
  if (event.op === 'peer_add') return `${event.user_ids.join()} added to ${event.stream_ids.join()}`;
  return `subscription ${event.op}`;
}

/** An event shows its message as it is, with the member's flags of now. */
export function expectShown(event: ServerEvent, { member, kind, queue }: Follower, model: Model, names: Names): void {
  if (event.type !== 'message') return;
  const message = model.message(event.message.id);
  expect(event.flags).toEqual(model.flags(member, message.id));
  expect(event.local_message_id).toBe(message.local?.queueId === queue.id ? message.local.localId : undefined);
  expect(event.message).toMatchObject({
    stream_id: names.stream(message.stream),
    display_recipient: message.stream,
    sender_email: message.sender,
    subject: message.topic,
    content: kind === 'html' ? `<p>${message.content}</p>` : message.content,
  });
}

/** Whether a narrow by this stream is refused: to the member it does not exist. */
export function isForbidden({ member, stream }: Fetching, model: Model): boolean {
  return stream !== undefined && !model.subscriptions(member).includes(stream);
}

export function expectFetched(
  answer: AnswerOut<typeof getMessages>,
  fetching: Fetching,
  model: Model,
  names: Names,
): void {
  const { member, stream, topic, sender } = fetching;
  const ids = (stream === undefined ? model.received(member) : model.readable(member)).filter((id) => {
    const message = model.message(id);
    return (
      (stream === undefined || message.stream === stream) &&
      (topic === undefined || message.topic.toLowerCase() === topic.toLowerCase()) &&
      (sender === undefined || message.sender === sender)
    );
  });
  const { messages, ...found } = answer;
  const anchor = anchorOf(fetching, ids.filter((id) => model.unread(member).includes(id)));
  const expected = around(ids, { ...fetching, anchor, include_anchor: true });
  expect({ ...found, ids: messages.map(({ id }) => id) }).toEqual(expected);
  for (const shown of messages) {
    const message = model.message(shown.id);
    expect(shown).toMatchObject({
      stream_id: names.stream(message.stream),
      sender_email: message.sender,
      subject: message.topic,
      content: message.content,
      flags: model.flags(member, message.id),
    });
  }
}

function anchorOf({ anchor }: Fetching, unread: readonly number[]): number {
  if (anchor === 'newest') return newestAnchor;
  if (anchor === 'oldest') return 0;
  if (anchor === 'first_unread') return unread[0] ?? newestAnchor;
  return anchor;
}
