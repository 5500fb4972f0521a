import { deleteQueue, getEvents } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { type Route, WrittenAnswer, answeredLater, memberRoute } from '../http/router.ts';
import { DeliveryBatch } from './batch.ts';
import { type Delivery, catchUp, deliver } from './delivery.ts';
import type { PollDependencies, Polls } from './polls.ts';
import type { Queues } from './queues.ts';

export interface EventDependencies extends Omit<PollDependencies, 'clock'> {
  readonly queues: Queues;
  readonly polls: Polls;
}

export function eventRoutes({ database, log, queues, polls, ephemeral, rules, memberships }: EventDependencies): Route[] {
  const eventsAnswer = createAnswers();
  return [
    memberRoute(getEvents, ({ queue_id, last_event_id, dont_block }, { member, signal, answerLater }) => {
      const queue = queues.of(member, queue_id);
      // The answer of register contains the state up to `began`, so earlier events are not delivered.
      const cursor = Math.max(last_event_id, queue.began);
      // Examines the log and begins to wait in one turn of the event loop, because a commit in between would be missed.
      const pending: Delivery<string | Uint8Array> = log.isNewest(cursor)
        ? { events: [], examined: cursor }
        : database.snapshot((reader) => {
            const { newest, pruned } = log.bounds(reader);
            // The log lacks events after such a cursor: they were deleted, or the cursor comes from another log.
            if (cursor < pruned || cursor > newest) throw refused.badEventQueue(queue_id);
            const batch = new DeliveryBatch(reader, [member.id], log.lookups(reader), memberships());
            const conversationIds = queue.options.all_public_streams ? undefined : () => rules.conversationsOf(batch);
            const range = batch.rangeAfter(cursor, () => log.rangeFor(reader, cursor, newest, member.id, conversationIds));
            return (range.rows.length > fewEvents ? catchUp : deliver)(rules, queue, cursor, range, batch);
          });
      // A queue has one poll: the new poll ends an earlier one, even if it does not have to wait itself.
      polls.release(queue_id);
      const events = [...pending.events, ...ephemeral.take(database.reader, queue, pending.examined)];
      const texts = events.filter((event) => typeof event === 'string');
      if (texts.length < events.length || texts.length > fewEvents) return manyEventsAnswer(queue_id, events);
      if (texts.length > 0 || dont_block) return eventsAnswer(queue_id, texts);
      const later = answerLater();
      polls.wait(queue, pending.examined, signal, {
        deliver: (delivered) => later.deliver(eventsAnswer(queue_id, delivered)),
        end: () => later.end(),
        fail: (error) => later.fail(error),
      });
      return answeredLater;
    }),

    memberRoute(deleteQueue, ({ queue_id }, { member }) => queues.delete(queues.of(member, queue_id))),
  ];
}

/** An answer with more events is composed of the bytes of each. */
const fewEvents = 10;

/** Members who return together receive many of the same events, but rarely all. */
function manyEventsAnswer(queueId: string, events: readonly (string | Uint8Array)[]): WrittenAnswer {
  const before = beforeEvents(queueId);
  const parts = events.map((event) => (typeof event === 'string' ? Buffer.from(event) : event));
  const length = parts.reduce((sum, part) => sum + part.length + 1, before.length - 1 + afterEvents.length);
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = bytes.write(before, 'latin1');
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
    bytes[at] = comma;
    at += 1;
  }
  // Over the last comma.
  bytes.set(afterEvents, at - 1);
  return new WrittenAnswer('', bytes);
}

const comma = 44;
const afterEvents = Buffer.from(']}\n');
/** A queue id is a UUID, so it needs no escape in JSON. */
const beforeEvents = (queueId: string) => `{"result":"success","msg":"","queue_id":"${queueId}","events":[`;

/** Members who receive the same events share their bytes. */
function createAnswers(): (queueId: string, events: readonly string[]) => WrittenAnswer {
  let written = { events: '', bytes: afterEvents };
  return (queueId, events) => {
    const text = events.join(',');
    if (written.events !== text) written = { events: text, bytes: Buffer.from(`${text}]}\n`) };
    return new WrittenAnswer(beforeEvents(queueId), written.bytes);
  };
}
