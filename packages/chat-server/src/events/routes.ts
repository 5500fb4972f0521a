import { deleteQueue, getEvents } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { type Route, answeredLater, memberRoute } from '../http/router.ts';
import { answerInParts } from './answers.ts';
import { DeliveryBatch } from './batch.ts';
import { deliver } from './delivery.ts';
import type { PollDependencies, Polls } from './polls.ts';
import type { Queues } from './queues.ts';

export interface EventDependencies extends Omit<PollDependencies, 'clock'> {
  readonly queues: Queues;
  readonly polls: Polls;
}

export function eventRoutes({ database, log, queues, polls, ephemeral, rules, memberships }: EventDependencies): Route[] {
  return [
    memberRoute(getEvents, ({ queue_id, last_event_id, dont_block }, { member, signal, answerLater }) => {
      const queue = queues.of(member, queue_id);
      // The answer of register contains the state up to `began`, so earlier events are not delivered.
      const cursor = Math.max(last_event_id, queue.began);
      const wait = (after: number): typeof answeredLater => {
        const abandon = polls.wait(queue, after, answerLater());
        if (signal.aborted) abandon();
        // The signal is freed with its call, and removing the listener would slow each delivery.
        else signal.addEventListener('abort', abandon);
        return answeredLater;
      };
      const missed = log.missed(cursor);
      if (!dont_block && missed !== undefined && missed >= 0 && missed <= fewMissed) return wait(cursor);
      const pending = database.snapshot((reader) => {
        const { newest, pruned } = log.bounds(reader);
        // The log lacks events after such a cursor: they were deleted, or the cursor comes from another log.
        if (cursor < pruned || cursor > newest) throw refused.badEventQueue(queue_id);
        const batch = new DeliveryBatch(reader, [member.id], log.lookups(reader), memberships());
        const conversationIds = queue.options.all_public_streams ? undefined : () => rules.conversationsOf(batch);
        const range = batch.rangeAfter(cursor, () => log.rangeFor(reader, cursor, newest, member.id, conversationIds));
        return deliver(rules, queue, cursor, range, batch);
      });
      // A queue has one poll: the new poll ends an earlier one, even if it does not have to wait itself.
      polls.release(queue.id);
      const events = [...pending.events, ...ephemeral.take(database.reader, queue, pending.examined)];
      if (events.length > 0 || dont_block) return answerInParts(queue.id, events);
      return wait(pending.examined);
    }),

    memberRoute(deleteQueue, ({ queue_id }, { member }) => queues.delete(queues.of(member, queue_id))),
  ];
}

/** A poll that missed at most this many events is examined together with others. */
const fewMissed = 200;
