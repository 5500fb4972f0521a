import { roles } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { DeliveryBatch } from '../events/batch.ts';
import { noGroups } from '../identity/groups.ts';
import { Visibility } from '../privacy/visibility.ts';
import { countQueries } from '../testing/countQueries.ts';
import { eventRow, plainQueue } from '../testing/delivery.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { userEvents } from './events.ts';

it.each([
  ['a guest', 'takahashi', roles.guest, 1],
  ['a member', 'suzuki', roles.member, 0],
])('A directory event that names a thousand users costs %s at most one query', async (_, name, role, most) => {
  const server = await eg.server();
  const member = eg.memberOf(server, name, role);
  const user_ids = [member.id, ...Array.from({ length: 999 }, (_each, index) => 1_000_000 + index)];
  const event = eventRow('directory', { user_ids });
  const { counted, queries } = countQueries(fileOf(server).database.reader);
  const serialize = new Map(userEvents(() => new Visibility(counted, noGroups))).get('directory');
  const batch = new DeliveryBatch(counted, [member.id]);
  const text = serialize?.(event, plainQueue(member), batch) ?? '';
  expect(JSON.parse(text)).toEqual({ id: 1, type: 'directory', user_ids: role === roles.guest ? [member.id] : user_ids });
  expect(queries()).toBe(most);
});
