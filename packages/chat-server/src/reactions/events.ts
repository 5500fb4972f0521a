import { z } from 'zod';
import { type DeliveryBatch, perEvent } from '../events/batch.ts';
import { type EventSerializer, type EventSerializers, serializeAsLogged } from '../events/delivery.ts';
import { unseenEmail, unseenName } from '../privacy/seenUsers.ts';
import type { Visibility } from '../privacy/visibility.ts';

const reactionPayload = z.looseObject({ user_id: z.int() });
const reactionOf = perEvent((event) => reactionPayload.parse(JSON.parse(event.payload)));

/** Of a user whom a guest does not see, the event has only the id, as the message itself does. */
export function reactionEvents(visibilityIn: (batch: DeliveryBatch) => Visibility): EventSerializers {
  const serialize: EventSerializer = (event, queue, batch) => {
    const payload = reactionOf(event, batch);
    const { user_id } = payload;
    if (visibilityIn(batch).sees(queue.member, user_id)) return serializeAsLogged(event, queue, batch);
    const user = { user_id, email: unseenEmail(user_id), full_name: unseenName };
    return batch.shared(`${event.id} unseen`, () => JSON.stringify({ ...payload, user, type: event.type, id: event.id }));
  };
  return [['reaction', serialize]];
}
