import { z } from 'zod';
import { isGainedLater } from '../conversations/sightChanges.ts';
import type { Transaction } from '../database/index.ts';
import { type DeliveryBatch, perEvent } from '../events/batch.ts';
import type { EventSerializer, EventSerializers } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import { type AudienceChange, type Visibility, audienceChange, receivesChange } from '../privacy/visibility.ts';
import { statuses } from './store.ts';
import { noStatus } from './view.ts';

/** The event has the status at delivery. @param audience set if only that changed: then those who gain or lose access get it. */
export function publishStatus(tx: Transaction, log: EventLog, userId: number, audience?: AudienceChange): void {
  log.append(tx, { type: 'user_status', reach: 'everyone', payload: { userId, audience } });
}

const statusPayload = z.object({ userId: z.int(), audience: audienceChange.optional() });
const statusChange = perEvent((event) => statusPayload.parse(JSON.parse(event.payload)));

export function statusEvents(visibilityIn: (batch: DeliveryBatch) => Visibility): EventSerializers {
  const serialize: EventSerializer = (event, { member }, batch) => {
    const payload = statusChange(event, batch);
    if (isGainedLater(event, member, payload.userId, batch)) return undefined;
    const visibility = visibilityIn(batch);
    const sees = visibility.canSee('status_audience', payload.userId, member);
    if (!receivesChange(visibility, payload, member, sees)) return undefined;
    // A guest who begins to see the user knows no earlier status that the event would have to clear.
    if (event.reach === 'self' && !statuses.of(batch.reader, payload.userId)) return undefined;
    return batch.shared(`${event.id} ${sees}`, () => {
      const status = sees ? (statuses.of(batch.reader, payload.userId) ?? noStatus) : noStatus;
      const { status_text, emoji_name, emoji_code, reaction_type, ends } = status;
      const fields = { status_text, emoji_name, emoji_code, reaction_type, scheduled_end_time: ends };
      return JSON.stringify({ type: event.type, user_id: payload.userId, ...fields, id: event.id });
    });
  };
  return [['user_status', serialize]];
}
