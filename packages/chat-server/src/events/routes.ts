import { deleteQueue, getEvents } from '@engawa/protocol';
import { refused } from '../errors.ts';
import type { DeliveredBody } from '../http/exchange.ts';
import { AnswerInParts, type Route, answeredLater, memberRoute } from '../http/router.ts';
import { DeliveryBatch } from './batch.ts';
import { type WrittenEvent, deliver } from './delivery.ts';
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
      const wait = (after: number): typeof answeredLater => {
        const later = answerLater();
        polls.wait(queue, after, signal, {
          deliver: (delivered) => later.deliver(eventsAnswer(queue.id, delivered)),
          end: () => later.end(),
          fail: (error) => later.fail(error),
        });
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
      polls.release(queue_id);
      const events = [...pending.events, ...ephemeral.take(database.reader, queue, pending.examined)];
      if (events.length > 0 || dont_block) return new AnswerInParts(beforeId + queue_id + afterId, partsOf(events));
      return wait(pending.examined);
    }),

    memberRoute(deleteQueue, ({ queue_id }, { member }) => queues.delete(queues.of(member, queue_id))),
  ];
}

/** A poll that missed at most this many events is examined together with others. */
const fewMissed = 200;

/** A queue id is a UUID, so it needs no escape in JSON. */
const [beforeId, afterId] = ['{"result":"success","msg":"","queue_id":"', '","events":['];
const afterEvents = Buffer.from(']}\n');
const comma = Buffer.from(',');

/** The answer after `afterId`. Members who return together share the bytes of its events. */
function partsOf(events: readonly WrittenEvent[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (const event of events) {
    if (parts.length > 0) parts.push(comma);
    parts.push(typeof event === 'string' ? Buffer.from(event) : event);
  }
  parts.push(afterEvents);
  return parts;
}

/** Members who receive the same events, one after the other, share their bytes. */
function createAnswers(): (queueId: string, events: readonly WrittenEvent[]) => DeliveredBody {
  let written: { readonly events: readonly WrittenEvent[]; readonly bytes: Uint8Array } | undefined;
  return (queueId, events) => {
    if (!written || !areSame(events, written.events)) {
      written = { events, bytes: Buffer.concat([Buffer.from(afterId), ...partsOf(events)]) };
    }
    return { before: beforeId, own: queueId, shared: written.bytes };
  };
}

const areSame = (some: readonly WrittenEvent[], others: readonly WrittenEvent[]): boolean =>
  some.length === others.length && some.every((event, index) => event === others[index]);
