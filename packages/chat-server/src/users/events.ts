import { z } from 'zod';
import type { Database, Transaction } from '../database/index.ts';
import type { DeliveryBatch } from '../events/batch.ts';
import { type EventSerializer, serializeAsLogged } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import { users } from '../identity/store.ts';
import { type AudienceChange, type Visibility, audienceChange, receivesChange } from '../privacy/visibility.ts';
import { pictureView, userView } from './view.ts';

export function publishUser(tx: Transaction, log: EventLog, userId: number, change: Readonly<Record<string, unknown>>): void {
  log.append(tx, {
    type: 'realm_user',
    reach: 'everyone',
    payload: { op: 'update', person: { user_id: userId, ...change } },
  });
}

/** The event has the picture at delivery. @param audience set if only that changed: then those who gain or lose access get it. */
export function publishPicture(tx: Transaction, log: EventLog, userId: number, audience?: AudienceChange): void {
  log.append(tx, { type: 'realm_user', reach: 'everyone', payload: { op: 'picture', userId, audience } });
}

/** The most user ids in one event. */
const mostNamed = 1000;

/** Makes clients fetch the directory again. @param userIds members whose data changed. Their own clients fetch it at once. */
export function publishDirectory(database: Database, log: EventLog, userIds: readonly number[]): Promise<void> {
  return database.write((tx) => {
    log.append(tx, { type: 'directory', reach: 'everyone', payload: { user_ids: userIds.slice(0, mostNamed) } });
  });
}

const userPayload = z.union([
  z.object({ op: z.literal('add'), userId: z.int() }),
  z.object({ op: z.literal('picture'), userId: z.int(), audience: audienceChange.optional() }),
  z.looseObject({ op: z.literal('update') }),
]);

export function userEvents(visibilityIn: (batch: DeliveryBatch) => Visibility): readonly (readonly [string, EventSerializer])[] {
  const serialize: EventSerializer = (event, queue, batch) => {
    const payload = userPayload.parse(JSON.parse(event.payload));
    if (payload.op === 'update') return serializeAsLogged(event, queue, batch);
    const user = users.byId(batch.reader, payload.userId);
    if (!user) return undefined;
    const visibility = visibilityIn(batch);
    const seesPicture = visibility.canSee('photo_audience', user.id, queue.member.id);
    const write = (content: Readonly<Record<string, unknown>>) =>
      batch.shared(`${event.id} ${seesPicture}`, () => JSON.stringify({ type: event.type, ...content, id: event.id }));
    if (payload.op === 'add') return write({ op: 'add', person: userView(user, seesPicture) });
    if (!receivesChange(visibility, payload, queue.member.id, seesPicture)) return undefined;
    const { avatar_url, avatar_version } = pictureView(user, seesPicture);
    const avatar_source = avatar_url === null ? 'G' : 'U';
    const picture = { avatar_url, avatar_url_medium: avatar_url, avatar_source, avatar_version };
    return write({ op: 'update', person: { user_id: user.id, ...picture } });
  };
  return [['realm_user', serialize]];
}
