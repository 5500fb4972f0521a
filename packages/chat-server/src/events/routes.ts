import { deleteQueue, getEvents } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { type Route, WrittenAnswer, memberRoute } from '../http/router.ts';
import { DeliveryBatch } from './batch.ts';
import { deliver } from './delivery.ts';
import type { PollDependencies, Polls } from './polls.ts';
import type { Queues } from './queues.ts';

export interface EventDependencies extends Omit<PollDependencies, 'clock'> {
  readonly queues: Queues;
  readonly polls: Polls;
}

export function eventRoutes({ database, log, queues, polls, ephemeral, rules }: EventDependencies): Route[] {
  const eventsAnswer = createAnswers();
  return [
    memberRoute(getEvents, async ({ queue_id, last_event_id, dont_block }, { member, signal, deliver: deliverAnswer }) => {
      const queue = queues.of(member, queue_id);
      // The answer of register contains the state up to `began`, so earlier events are not delivered.
      const cursor = Math.max(last_event_id, queue.began);
      // Examines the log and begins to wait in one turn of the event loop, because a commit in between would be missed.
      const pending = log.isNewest(cursor)
        ? { events: [], examined: cursor }
        : database.snapshot((reader) => {
            const { newest, pruned } = log.bounds(reader);
            // The log lacks events after such a cursor: they were deleted, or the cursor comes from another log.
            if (cursor < pruned || cursor > newest) throw refused.badEventQueue(queue_id);
            return deliver(rules, log, queue, cursor, new DeliveryBatch(reader, [member.id]));
          });
      // A queue has one poll: the new poll ends an earlier one, even if it does not have to wait itself.
      polls.release(queue_id);
      const events = [...pending.events, ...ephemeral.take(database.reader, queue, pending.examined)];
      if (events.length > 0 || dont_block) return eventsAnswer(queue_id, events);
      return polls.wait(queue, pending.examined, signal, (delivered) => {
        const answer = eventsAnswer(queue_id, delivered);
        deliverAnswer(answer);
        return answer;
      });
    }),

    memberRoute(deleteQueue, ({ queue_id }, { member }) => queues.delete(queues.of(member, queue_id))),
  ];
}

/** Members who receive the same events share their bytes. */
function createAnswers(): (queueId: string, events: readonly string[]) => WrittenAnswer {
  let written = { events: '', bytes: Buffer.from(']}\n') };
  return (queueId, events) => {
    const text = events.join(',');
    if (written.events !== text) written = { events: text, bytes: Buffer.from(`${text}]}\n`) };
    const before = `{"result":"success","msg":"","queue_id":${JSON.stringify(queueId)},"events":[`;
    const body = Buffer.allocUnsafe(before.length + written.bytes.length);
    body.write(before, 'latin1');
    body.set(written.bytes, before.length);
    return new WrittenAnswer(body);
  };
}
