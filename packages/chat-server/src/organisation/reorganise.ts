import { roles } from '@engawa/protocol';
import { z } from 'zod';
import type { Database, Reader, Transaction, Value } from '../database/index.ts';
import { refuseSameLooks } from '../identity/sameLook.ts';
import { queries } from '../schema.ts';
import { joinDefaultStreams } from '../streams/defaultStreams.ts';
import { changePerson, createPerson, rankOf } from './people.ts';
import type { Steps } from '../turns.ts';
import type { Reorganisation, Reorganised } from './reorganisation.ts';
import { type StreamDependencies, changeStreams } from './streams.ts';

export interface ReorganisationDependencies extends StreamDependencies {
  readonly database: Database;
}

const numbers = z.object({ users: z.array(z.int()), streams: z.array(z.int()) });

const select = queries.value((query, id: Value<string>) =>
  query.selectFrom('reorganisation').select('numbers').where('id', '=', id),
);
const deleteAll = queries.run((query) => query.deleteFrom('reorganisation'));
const insert = queries.run((query, id: Value<string>, numbers: Value<string>) =>
  query.insertInto('reorganisation').values({ id, numbers }),
);

/** Stores the result of the last reorganisation, so that a caller who did not get it can ask again. */
const reorganisations = {
  find(reader: Reader, id: string): Reorganised | undefined {
    const written = select(reader, id);
    return written === undefined ? undefined : numbers.parse(JSON.parse(written));
  },
  put(tx: Transaction, id: string, given: Reorganised): void {
    deleteAll(tx);
    insert(tx, id, JSON.stringify(given));
  },
};

/**
 * Changes everything or nothing. A repeated request returns the first result. It is one transaction over several turns; see
 * `docs/decisions/022-organisation-plans.md`. @throws ChatError
 */
export function reorganise(dependencies: ReorganisationDependencies, reorganisation: Reorganisation): Promise<Reorganised> {
  return dependencies.database.writeInSteps(function* (tx) {
    return reorganisations.find(tx, reorganisation.id) ?? (yield* change(tx, dependencies, reorganisation));
  });
}

function* change(
  tx: Transaction,
  dependencies: ReorganisationDependencies,
  { id, by, made, changed, streams }: Reorganisation,
): Steps<Reorganised> {
  const rank = rankOf(tx, by);
  const users: number[] = [];
  for (const person of made) {
    users.push(createPerson(tx, dependencies, rank, person));
    yield;
  }
  // New owners are appointed first, so that the last owner may be demoted in the same plan.
  const { owners = [], others = [] } = Object.groupBy(changed, ({ role }) => (role === roles.owner ? 'owners' : 'others'));
  for (const person of [...owners, ...others]) {
    changePerson(tx, dependencies, rank, person);
    yield;
  }
  // Checked once for all, because names may be exchanged, and because each check reads all names.
  const named = changed.filter(({ fullName, isActive }) => fullName !== undefined || isActive === true);
  yield* refuseSameLooks(tx, [...users, ...named.map(({ userId }) => userId)], 'given');
  const newcomers = new Map(
    made.flatMap(({ email }, index) => {
      const userId = users[index];
      return userId === undefined ? [] : [[email.trim().toLowerCase(), userId] as const];
    }),
  );
  const reorganised = { users, streams: yield* changeStreams(tx, dependencies, by, streams, newcomers) };
  // After the streams of departments, which expect that newcomers have no memberships.
  const active = made.flatMap(({ role, isActive }, index) => {
    const id = users[index];
    return isActive && id !== undefined ? { id, role, ownerId: null } : [];
  });
  yield* joinDefaultStreams(tx, dependencies.log, active);
  reorganisations.put(tx, id, reorganised);
  return reorganised;
}
