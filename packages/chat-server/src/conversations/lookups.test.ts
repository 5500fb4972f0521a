import { expect, it } from 'vitest';
import { DeliveryBatch } from '../events/batch.ts';
import { countQueries } from '../testing/countQueries.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { membersAmong, periodsOf } from './lookups.ts';
import { membershipStates, memberships } from './memberships.ts';

it('Deliveries to many members read the memberships of a conversation again only after one of them changed', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const { counted, queries } = countQueries(database.reader);
  const stateOf = membershipStates(database);
  const [stream, member, later] = [server.stream(eg.general), server.user('sato'), server.user('ito')];
  const waiting = ['tanaka', 'suzuki', 'takahashi'].map((name) => server.user(name));
  const periods = (userId: number) =>
    periodsOf(new DeliveryBatch(counted, [...waiting, member, later], undefined, stateOf()), stream, userId).length;
  expect([periods(member), periods(later)]).toEqual([1, 0]);
  expect(queries()).toBe(1);
  const joined = { conversation_id: stream, user_id: later, began_event: 1, began_message: 1, color: '#ffffff' };
  await database.write((tx) => void memberships.insert(tx, joined));
  expect([periods(member), periods(later)]).toEqual([1, 1]);
  expect(queries()).toBe(2);
});

it('A delivery to few members of a conversation looks up only these, and a delivery to half as many users as it has members looks up all', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const ids = (names: readonly string[]) => names.map((name) => server.user(name));
  const memberships = membershipStates(database)();
  const members = (names: readonly string[]) =>
    membersAmong(new DeliveryBatch(database.reader, ids(names), undefined, memberships), server.stream(eg.general));
  // It has tanaka, sato, suzuki and takahashi.
  expect(members(['tanaka', 'sato', 'suzuki', 'takahashi', 'ito'])).toBe('all');
  expect(members(['sato', 'ito'])).toBe('all');
  expect(members(['sato'])).toEqual(ids(['sato']));
  expect(members(['ito'])).toEqual([]);
});
