import { deleteQueue, getEvents, registerQueue, roles } from '@engawa/protocol';
import type { Database } from '../database/index.ts';
import { refused } from '../http/errors.ts';
import { type Route, WrittenAnswer, memberRoute } from '../http/router.ts';
import { type Delivery, deliver } from './delivery.ts';
import type { EventLog } from './log.ts';
import { Views } from './payload.ts';
import type { Polls } from './polls.ts';
import type { Queues } from './queues.ts';
import { queueNarrow, snapshotOf } from './register.ts';

export function eventRoutes(database: Database, log: EventLog, queues: Queues, polls: Polls): Route[] {
  return [
    memberRoute(registerQueue, async (asked, { member }) => {
      const { event_types, apply_markdown } = asked;
      if (asked.all_public_streams && member.role === roles.guest) {
        throw refused.because('User not authorized for this query');
      }
      const options = { event_types, apply_markdown, narrow: queueNarrow(asked.narrow) };
      const queue = await queues.register(member, options, asked.queue_lifespan_secs);
      // The snapshot and the cursor are of one moment: the events after the one are what happened after the other.
      return database.snapshot((reader) => ({
        queue_id: queue.id,
        last_event_id: log.bounds(reader).newest,
        ...snapshotOf(reader, member, asked),
      }));
    }),

    memberRoute(getEvents, async ({ queue_id, last_event_id, dont_block }, { member, signal }) => {
      const queue = queues.of(member, queue_id);
      const pending = database.snapshot((reader): Delivery => {
        const { newest, pruned } = log.bounds(reader);
        // What came before the queue is in its snapshot and is not told again.
        const cursor = Math.max(last_event_id, queue.began);
        // A cursor from before the log, or from another one, cannot be continued without a gap.
        if (cursor < pruned || cursor > newest) throw refused.badEventQueue(queue_id);
        return deliver(reader, log, queue, cursor, new Views());
      });
      // One poll per queue: whoever waited is not asked for any more, also when this one is answered at once.
      polls.release(queue_id);
      if (pending.events.length > 0 || dont_block) return eventsAnswer(queue_id, pending.events);
      return eventsAnswer(queue_id, await polls.wait(queue, pending.examined, signal));
    }),

    memberRoute(deleteQueue, async ({ queue_id }, { member }) => {
      const queue = queues.of(member, queue_id);
      await queues.drop(queue);
      polls.release(queue_id);
      return {};
    }),
  ];
}

function eventsAnswer(queueId: string, events: readonly string[]): WrittenAnswer {
  const body = `{"result":"success","msg":"","events":[${events.join(',')}],"queue_id":${JSON.stringify(queueId)}}\n`;
  return new WrittenAnswer(Buffer.from(body));
}
