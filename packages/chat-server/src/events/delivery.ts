import { subscriptionView } from '../conversations/view.ts';
import { conversations } from '../conversations/store.ts';
import type { Reader } from '../database/index.ts';
import { topicKey, messages } from '../messages/store.ts';
import { messageView } from '../messages/view.ts';
import { flagsSeenBy } from '../reading/unread.ts';
import type { EventLog, EventRow } from './log.ts';
import { type Views, payloadOf } from './payload.ts';
import type { Queue } from './queues.ts';
import { hears } from './reach.ts';

/** Most rows of the log that one poll looks at. */
const mostExamined = 1000;

export interface Delivery {
  /** Events as JSON texts, ids ascending. */
  readonly events: readonly string[];
  /** The newest id that was looked at. A client that acknowledges it misses nothing. */
  readonly examined: number;
}

/** What a queue's member hears of the events after `cursor`. Bounded by `mostExamined` rows. */
export function deliver(reader: Reader, log: EventLog, queue: Queue, cursor: number, views: Views): Delivery {
  const rows = views.after(cursor, () => log.after(reader, cursor, mostExamined));
  const events = rows.flatMap((row) => eventFor(reader, queue, row, views) ?? []);
  const examined = rows.at(-1)?.id ?? cursor;
  // Nothing for this member among so many rows: the heartbeat moves the cursor on, and the next poll looks further.
  if (events.length === 0 && rows.length === mostExamined) return { events: [heartbeat(examined)], examined };
  return { events, examined };
}

export function heartbeat(id: number): string {
  return JSON.stringify({ type: 'heartbeat', id });
}

function eventFor(reader: Reader, queue: Queue, row: EventRow, views: Views): string | undefined {
  const { event_types: types } = queue.options;
  if (types && !types.includes(row.type)) return undefined;
  if (!hears(reader, queue.member, row)) return undefined;
  if (row.type === 'message') return messageEvent(reader, queue, row, views);
  if (row.type === 'subscription') return subscriptionEvent(reader, queue, row, views);
  return views.shared(`${row.id}`, () => JSON.stringify({ ...payloadOf.other(row), type: row.type, id: row.id }));
}

/** The message as it is now. One that is gone by now is not told of. */
function messageEvent(reader: Reader, queue: Queue, row: EventRow, views: Views): string | undefined {
  const message = row.message_id === null ? undefined : messages.withSender(reader, row.message_id);
  if (!message || message.deleted !== null || !passes(queue, message)) return undefined;
  const { queue_id, local_id } = payloadOf.message(row);
  const local = queue_id === queue.id ? local_id : undefined;
  const flags = JSON.stringify(flagsSeenBy(reader, queue.member.id)(message));
  const markdown = queue.options.apply_markdown;
  return views.shared(`${row.id} ${markdown} ${flags} ${JSON.stringify(local)}`, () => {
    const shown = JSON.stringify(messageView(message, markdown));
    const mark = local === undefined ? '' : `,"local_message_id":${JSON.stringify(local)}`;
    return `{"type":"message","id":${row.id},"message":${shown},"flags":${flags}${mark}}`;
  });
}

/** Whether a message is within the narrow that a queue was registered with. */
function passes({ options }: Queue, message: { stream_name: string; topic_key: string; email: string }): boolean {
  return options.narrow.every(({ operator, operand }) => {
    if (operator === 'stream') return operand.toLowerCase() === message.stream_name.toLowerCase();
    if (operator === 'topic') return topicKey(operand) === message.topic_key;
    return operand.toLowerCase() === message.email.toLowerCase();
  });
}

function subscriptionEvent(reader: Reader, queue: Queue, row: EventRow, views: Views): string | undefined {
  const payload = payloadOf.subscription(row);
  if (payload.op !== 'add') {
    return views.shared(`${row.id}`, () => JSON.stringify({ ...payload, type: row.type, id: row.id }));
  }
  // The subscription as it is now: one that has ended by now is told of by the event of its end.
  const stay = conversations
    .stays(reader, payload.conversationId, queue.member.id)
    .find(({ ended_event }) => ended_event === null);
  const stream = conversations.stream(reader, payload.conversationId);
  if (!stay || !stream) return undefined;
  const subscriptions = [subscriptionView(reader, stream, stay, true)];
  return JSON.stringify({ type: row.type, op: 'add', subscriptions, id: row.id });
}
