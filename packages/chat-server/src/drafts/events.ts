import { z } from 'zod';
import type { Transaction } from '../database/index.ts';
import type { EventSerializer, EventSerializers } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import { drafts } from './store.ts';
import { draftView } from './view.ts';

const payload = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), ids: z.array(z.int()) }),
  z.object({ op: z.literal('update'), id: z.int(), revision: z.int() }),
  z.object({ op: z.literal('remove'), draft_id: z.int() }),
]);

/** The log has no contents, because a draft changes every few seconds while it is written. */
export function publishDrafts(tx: Transaction, log: EventLog, userId: number, change: z.output<typeof payload>): void {
  log.append(tx, { type: 'drafts', reach: 'self', reachId: userId, payload: change });
}

const serialize: EventSerializer = (event, { member }, { reader }) => {
  const change = payload.parse(JSON.parse(event.payload));
  const body = () => {
    if (change.op === 'remove') return change;
    if (change.op === 'add') {
      const added = change.ids.flatMap((id) => drafts.one(reader, member.id, id) ?? []);
      return added.length === 0 ? undefined : { op: change.op, drafts: added.map(draftView) };
    }
    const draft = drafts.one(reader, member.id, change.id);
    // A later edit or the deletion has another event.
    return draft?.revision === change.revision ? { op: change.op, draft: draftView(draft) } : undefined;
  };
  const fields = body();
  return fields && JSON.stringify({ type: event.type, ...fields, id: event.id });
};

export const draftEvents: EventSerializers = [['drafts', serialize]];
