import { perEvent, perEventOfBatch } from '../events/batch.ts';
import type { EventSerializer, EventSerializers } from '../events/delivery.ts';
import { bots } from '../identity/bots.ts';
import { isAdministrator } from '../identity/member.ts';
import { botChange } from '../users/events.ts';
import { administers } from './access.ts';
import { botView, defaultsView } from './view.ts';

const changeOf = perEvent((event) => botChange.parse(JSON.parse(event.payload)));

const botOf = perEventOfBatch((event, batch) => {
  const row = bots.byId(batch.reader, changeOf(event, batch).userId);
  return row && { row, defaults: defaultsView(batch.reader, row) };
});

/** The event has the bot at delivery, for those who administer it then. */
const serializeBot: EventSerializer = (event, { member }, batch) => {
  const change = changeOf(event, batch);
  const write = (content: Readonly<Record<string, unknown>>) => JSON.stringify({ type: event.type, ...content, id: event.id });
  const found = botOf(event, batch);
  if (!found) return undefined;
  const { row, defaults } = found;
  if (!administers(member, row)) {
    return change.op === 'transfer' && change.from === member.id ? write({ op: 'delete', bot: { user_id: row.id } }) : undefined;
  }
  const bot = botView(row, defaults, member);
  // A new owner who is no administrator has not known the bot before.
  if (change.op === 'add' || (change.op === 'transfer' && !isAdministrator(member))) return write({ op: 'add', bot });
  const fields = new Set(['user_id', ...(change.op === 'transfer' ? ['owner_id', 'api_key'] : change.fields)]);
  const changed = Object.entries(bot).filter(([name]) => fields.has(name));
  return changed.length > 1 ? write({ op: 'update', bot: Object.fromEntries(changed) }) : undefined;
};

export const botEvents: EventSerializers = [['realm_bot', serializeBot]];
