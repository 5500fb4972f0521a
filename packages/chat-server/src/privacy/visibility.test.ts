import { type Audience, roles, updateSettings } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { countQueries } from '../testing/countQueries.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { noGroups } from '../identity/groups.ts';
import { Visibility } from './visibility.ts';

it('Visibility.preload reads the audiences of all members with one query', async () => {
  const server = await eg.server();
  const viewer = { id: server.user('sato'), role: roles.administrator, ownerId: null };
  const owners = ['tanaka', 'suzuki', 'takahashi', 'ito'];
  const choose = (name: string, audience: Audience['audience'], ...user_ids: number[]) =>
    eg.signIn(server, name).ok(updateSettings, { photo_audience: { audience, user_ids } });
  await choose('tanaka', 'nobody');
  await choose('suzuki', 'selected', viewer.id);
  await choose('takahashi', 'everyone', server.user('tanaka'));
  const { counted, queries } = countQueries(fileOf(server).database.reader);
  const visibility = new Visibility(counted, noGroups).preload('photo_audience');
  const visible = owners.map((name) => visibility.canSee('photo_audience', server.user(name), viewer));
  expect(visible).toEqual([false, true, true, true]);
  expect(queries()).toBe(1);
});
