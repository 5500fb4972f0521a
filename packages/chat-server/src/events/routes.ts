import { deleteQueue, getEvents } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { type Route, WrittenAnswer, memberRoute } from '../http/router.ts';
import { DeliveryBatch } from './batch.ts';
import { type Delivery, deliver } from './delivery.ts';
import type { PollDependencies, Polls } from './polls.ts';
import type { Queue, Queues } from './queues.ts';
import type { Turns } from './turns.ts';

export interface EventDependencies extends Omit<PollDependencies, 'clock'> {
  readonly queues: Queues;
  readonly polls: Polls;
  readonly turns: Turns;
}

/** Rows of the log that a poll may examine without waiting for its turn. */
const mostWithoutTurn = 100;

export function eventRoutes({ database, log, queues, polls, ephemeral, rules, turns }: EventDependencies): Route[] {
  return [
    memberRoute(getEvents, async ({ queue_id, last_event_id, dont_block }, { member, signal }) => {
      const examine = (queue: Queue, most: number) =>
        database.snapshot((reader) => {
          const { newest, pruned } = log.bounds(reader);
          // Events from before the registration are part of its initial state.
          const cursor = Math.max(last_event_id, queue.began);
          // A cursor from before the log, or from another log, cannot be continued without a gap.
          if (cursor < pruned || cursor > newest) throw refused.badEventQueue(queue_id);
          if (newest - cursor > most) return undefined;
          return { queue, ...deliver(rules, log, queue, cursor, new DeliveryBatch(reader, [member.id])) };
        });
      // It must begin to wait in the same turn in which it examined the log: a commit in between would be missed.
      const answerTo = async ({ queue, ...pending }: { readonly queue: Queue } & Delivery) => {
        // One poll per queue: an earlier one ends, also when this one is answered at once.
        polls.release(queue_id);
        const events = [...pending.events, ...ephemeral.take(database.reader, queue, pending.examined)];
        if (events.length > 0 || dont_block) return eventsAnswer(queue_id, events);
        return eventsAnswer(queue_id, await polls.wait(queue, pending.examined, signal));
      };
      const near = examine(queues.of(member, queue_id), mostWithoutTurn);
      if (near) return answerTo(near);
      const answer = await turns.take(() => {
        // The queue may have ended before its turn.
        const far = examine(queues.of(member, queue_id), Infinity);
        return far && answerTo(far);
      }, signal);
      // Undefined after the client has hung up. The queue stays for its next poll.
      return answer ?? eventsAnswer(queue_id, []);
    }),

    memberRoute(deleteQueue, ({ queue_id }, { member }) => queues.delete(queues.of(member, queue_id))),
  ];
}

function eventsAnswer(queueId: string, events: readonly string[]): WrittenAnswer {
  const body = `{"result":"success","msg":"","events":[${events.join(',')}],"queue_id":${JSON.stringify(queueId)}}\n`;
  return new WrittenAnswer(Buffer.from(body));
}
