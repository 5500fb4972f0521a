import type { Transaction } from '../database/index.ts';
import type { EventSerializer, EventSerializers } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import { profileFieldViews } from './view.ts';

export function publishFields(tx: Transaction, log: EventLog): void {
  log.append(tx, { type: 'custom_profile_fields', reach: 'everyone', payload: {} });
}

const serialize: EventSerializer = ({ id, type }, _, batch) =>
  batch.shared(`${id}`, () => JSON.stringify({ type, fields: profileFieldViews(batch.reader), id }));

export const profileEvents: EventSerializers = [['custom_profile_fields', serialize]];
