import { roles } from '@engawa/protocol';
import type { Bindings } from '../streams/bindings.ts';
import type { Database, Transaction } from '../database/index.ts';
import { type PeopleDependencies, changePerson, createPerson, rankOf } from './people.ts';
import type { Reorganisation, Reorganised } from './reorganisation.ts';
import { reorganisations } from './store.ts';
import { changeStreams } from './streams.ts';

export interface ReorganisationDependencies extends PeopleDependencies {
  readonly database: Database;
  readonly bindings: Bindings;
}

/**
 * Changes people and bound streams, all or nothing and only once: a repeated request returns the first result. It is one
 * transaction on the main thread; `docs/decisions/022-organisation-plans.md` says how long it takes.
 * @throws ChatError if it is not allowed or not possible.
 */
export function reorganise(dependencies: ReorganisationDependencies, reorganisation: Reorganisation): Promise<Reorganised> {
  return dependencies.database.write(
    (tx) => reorganisations.find(tx, reorganisation.id) ?? change(tx, dependencies, reorganisation),
  );
}

function change(
  tx: Transaction,
  dependencies: ReorganisationDependencies,
  { id, by, made, changed, streams }: Reorganisation,
): Reorganised {
  const rank = rankOf(tx, by);
  const users = made.map((person) => createPerson(tx, dependencies, rank, person));
  // New owners first, so that there always is one.
  const [owners, others] = [
    changed.filter(({ role }) => role === roles.owner),
    changed.filter(({ role }) => role !== roles.owner),
  ];
  for (const person of [...owners, ...others]) changePerson(tx, dependencies, rank, person);
  const newcomers = new Map(
    made.flatMap(({ email }, index) => {
      const userId = users[index];
      return userId === undefined ? [] : [[email.trim().toLowerCase(), userId] as const];
    }),
  );
  const reorganised = { users, streams: changeStreams(tx, dependencies, streams, newcomers) };
  reorganisations.put(tx, id, reorganised);
  return reorganised;
}
