import { type Audience, updateSettings } from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { Reader } from '../database/index.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { noGroups } from '../identity/groups.ts';
import { Visibility } from './visibility.ts';

/** How often the database is asked. */
function counting(reader: Reader) {
  let count = 0;
  const counted: Reader = {
    all: (...asked) => {
      count += 1;
      return reader.all(...asked);
    },
    get: (...asked) => {
      count += 1;
      return reader.get(...asked);
    },
  };
  return { counted, asked: () => count };
}

it('looks up at once what everybody chose, where it is asked of all', async () => {
  const server = await eg.server();
  const viewer = server.user('sato');
  const owners = ['tanaka', 'suzuki', 'takahashi', 'ito'];
  const choose = (name: string, audience: Audience['audience'], ...user_ids: number[]) =>
    eg.signIn(server, name).ok(updateSettings, { photo_audience: { audience, user_ids } });
  await choose('tanaka', 'nobody');
  await choose('suzuki', 'selected', viewer);
  await choose('takahashi', 'everyone', server.user('tanaka'));
  const { counted, asked } = counting(fileOf(server).database.reader);
  const visibility = new Visibility(counted, noGroups).preload('photo_audience');
  const shown = owners.map((name) => visibility.canSee('photo_audience', server.user(name), viewer));
  expect(shown).toEqual([false, true, true, true]);
  expect(asked()).toBe(1);
});
