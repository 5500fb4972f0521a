import { deleteQueue, getEvents, registerQueue } from '@engawa/protocol';
import { entersPublicStreams } from '../conversations/access.ts';
import type { Database } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, WrittenAnswer, memberRoute } from '../http/router.ts';
import { type Delivery, deliver } from './delivery.ts';
import type { Fleeting } from './ephemeral.ts';
import type { EventLog } from './log.ts';
import { Views } from './payload.ts';
import type { Polls } from './polls.ts';
import type { Queue, Queues } from './queues.ts';
import type { Clock } from '../clock.ts';
import type { Presence } from '../presence/presence.ts';
import type { Groups } from '../identity/groups.ts';
import { memberNow } from '../identity/currentMember.ts';
import { optionsOf, snapshotOf } from '../register/initialState.ts';
import { Turns } from './turns.ts';

export interface EventRooms {
  readonly database: Database;
  readonly log: EventLog;
  readonly queues: Queues;
  readonly polls: Polls;
  readonly fleeting: Fleeting;
  readonly presence: Presence;
  readonly groups: Groups;
  readonly clock: Clock;
}

/** Rows of the log that a poll looks at without taking its turn. */
const nearBehind = 100;

export function eventRoutes({ database, log, queues, polls, fleeting, presence, groups, clock }: EventRooms): Route[] {
  const turns = new Turns();
  return [
    memberRoute(registerQueue, async (asked, { member, signal }) => {
      if (asked.all_public_streams && !entersPublicStreams(member)) throw refused.queryNotPermitted();
      const queue = await queues.register(member, optionsOf(asked), asked.queue_lifespan_secs);
      // The snapshot and the cursor are of one moment: the events after the one are what happened after the other.
      const look = () =>
        database.snapshot((reader) => {
          // A change of role or a deactivation since has ended the queue.
          const { role } = memberNow(reader, queue.member);
          if (role !== queue.member.role) throw refused.badEventQueue(queue.id);
          return {
            queue_id: queue.id,
            last_event_id: log.bounds(reader).newest,
            ...snapshotOf(reader, queue.member, asked, { presence, groups, now: clock.now() / 1000 }),
          };
        });
      const answer = await turns.take(look, signal);
      if (!answer) throw refused.badEventQueue(queue.id);
      return answer;
    }),

    memberRoute(getEvents, async ({ queue_id, last_event_id, dont_block }, { member, signal }) => {
      const look = (queue: Queue, most: number) =>
        database.snapshot((reader) => {
          const { newest, pruned } = log.bounds(reader);
          // What came before the queue is in its snapshot and is not told again.
          const cursor = Math.max(last_event_id, queue.began);
          // A cursor from before the log, or from another one, cannot be continued without a gap.
          if (cursor < pruned || cursor > newest) throw refused.badEventQueue(queue_id);
          if (newest - cursor > most) return undefined;
          return { queue, ...deliver(reader, log, queue, cursor, new Views(reader, groups, [member.id])) };
        });
      // In one go with the look: what is committed between the two would be told to nobody.
      const answerTo = async ({ queue, ...pending }: { readonly queue: Queue } & Delivery) => {
        // One poll per queue: whoever waited is not asked for any more, also when this one is answered at once.
        polls.release(queue_id);
        const events = [...pending.events, ...fleeting.take(database.reader, queue, pending.examined)];
        if (events.length > 0 || dont_block) return eventsAnswer(queue_id, events);
        return eventsAnswer(queue_id, await polls.wait(queue, pending.examined, signal));
      };
      const near = look(queues.of(member, queue_id), nearBehind);
      if (near) return answerTo(near);
      const answer = await turns.take(() => {
        // The queue may have ended before its turn.
        const far = look(queues.of(member, queue_id), Infinity);
        return far && answerTo(far);
      }, signal);
      // Nobody listens any more; the queue stays for the next poll.
      return answer ?? eventsAnswer(queue_id, []);
    }),

    memberRoute(deleteQueue, async ({ queue_id }, { member }) => {
      const queue = queues.of(member, queue_id);
      await queues.drop(queue);
      return {};
    }),
  ];
}

function eventsAnswer(queueId: string, events: readonly string[]): WrittenAnswer {
  const body = `{"result":"success","msg":"","events":[${events.join(',')}],"queue_id":${JSON.stringify(queueId)}}\n`;
  return new WrittenAnswer(Buffer.from(body));
}
