import { z } from 'zod';
import type { Transaction } from '../database/index.ts';
import type { DeliveryBatch } from '../events/batch.ts';
import type { EventSerializer, EventSerializers } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import type { Visibility } from '../privacy/visibility.ts';
import { scheduledMessages } from './store.ts';
import { scheduledViews } from './view.ts';

const payload = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['add', 'update']), scheduled_id: z.int() }),
  z.object({ op: z.literal('remove'), scheduled_message_id: z.int() }),
]);

/** The log has no contents. */
export function publishScheduled(tx: Transaction, log: EventLog, userId: number, change: z.output<typeof payload>): void {
  log.append(tx, { type: 'scheduled_messages', reach: 'self', reachId: userId, payload: change });
}

export function scheduledEvents(visibilityIn: (batch: DeliveryBatch) => Visibility): EventSerializers {
  const serialize: EventSerializer = (event, { member }, batch) => {
    const { type, id } = event;
    const change = payload.parse(JSON.parse(event.payload));
    if (change.op === 'remove') return JSON.stringify({ type, ...change, id });
    // A message that is sent or deleted meanwhile has another event.
    const row = scheduledMessages.one(batch.reader, member.id, change.scheduled_id);
    if (!row) return undefined;
    const view = scheduledViews(batch.reader, visibilityIn(batch), member)(row);
    return JSON.stringify(
      change.op === 'add'
        ? { type, op: 'add', scheduled_messages: [view], id }
        : { type, op: 'update', scheduled_message: view, id },
    );
  };
  return [['scheduled_messages', serialize]];
}
