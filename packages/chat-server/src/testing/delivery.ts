/** Parts of a delivery, for tests that call a serializer themselves. */
import type { EventRow } from '../events/log.ts';
import { type Queue, queueOptions } from '../events/queues.ts';
import type { Member } from '../identity/member.ts';

export function eventRow(type: string, payload: object): EventRow {
  return { id: 1, type, reach: 'everyone', reach_id: null, message_id: null, payload: JSON.stringify(payload) };
}

/** A queue without capabilities. */
export function plainQueue(member: Member): Queue {
  const options = queueOptions.parse({ apply_markdown: false, narrow: [] });
  return { id: '', member, options, began: 0, lifespan: 0 };
}
