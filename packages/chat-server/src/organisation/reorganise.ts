import { roles } from '@engawa/protocol';
import type { Bindings } from '../streams/bindings.ts';
import type { Database, Transaction } from '../database/index.ts';
import { type PeopleRooms, changePerson, makePerson, rankOf } from './people.ts';
import type { Reorganisation, Reorganised } from './reorganisation.ts';
import { reorganisations } from './store.ts';
import { changeStreams } from './streams.ts';

export interface ReorganisationRooms extends PeopleRooms {
  readonly database: Database;
  readonly bindings: Bindings;
}

/**
 * Changes people and the streams that are bound, whole or not at all, and once: asked for again it answers what it gave
 * out the first time. One transaction, on the main thread: `docs/decisions/022-organisation-plans.md` says how long.
 * @throws ChatError when it may not be, or cannot be.
 */
export function reorganise(rooms: ReorganisationRooms, asked: Reorganisation): Promise<Reorganised> {
  return rooms.database.write((tx) => reorganisations.find(tx, asked.id) ?? change(tx, rooms, asked));
}

function change(tx: Transaction, rooms: ReorganisationRooms, { id, by, made, changed, streams }: Reorganisation): Reorganised {
  const rank = rankOf(tx, by);
  const users = made.map((person) => makePerson(tx, rooms, rank, person));
  // New owners come before old ones go, so that there is one all the time.
  const [owners, others] = [
    changed.filter(({ role }) => role === roles.owner),
    changed.filter(({ role }) => role !== roles.owner),
  ];
  for (const person of [...owners, ...others]) changePerson(tx, rooms, rank, person);
  const newcomers = new Map(
    made.flatMap(({ email }, index) => {
      const userId = users[index];
      return userId === undefined ? [] : [[email.trim().toLowerCase(), userId] as const];
    }),
  );
  const reorganised = { users, streams: changeStreams(tx, rooms, streams, newcomers) };
  reorganisations.put(tx, id, reorganised);
  return reorganised;
}
