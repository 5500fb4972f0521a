import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  DummyDriver,
  type Expression,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';

/** The values that a statement takes, by name. */
export type Values = Readonly<Record<string, SQLInputValue>>;
type Placeholders<V extends Values> = { readonly [Name in keyof V]: Expression<V[Name]> };

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** One SQL statement, built and typed once, prepared once per connection, and run with values by name. */
export class Statement<V extends Values, Row> {
  readonly #query: CompiledQuery<Row>;
  readonly #prepared = new WeakMap<DatabaseSync, StatementSync>();

  constructor(query: CompiledQuery<Row>) {
    this.#query = query;
  }

  all(connection: DatabaseSync, values: V): Row[] {
    // The row's type is what the query builder inferred from the schema that the migrations made.
    return this.#on(connection).all(...this.#bind(values)) as Row[];
  }

  get(connection: DatabaseSync, values: V): Row | undefined {
    return this.#on(connection).get(...this.#bind(values)) as Row | undefined;
  }

  /** @returns how many rows changed. */
  run(connection: DatabaseSync, values: V): number {
    return Number(this.#on(connection).run(...this.#bind(values)).changes);
  }

  #on(connection: DatabaseSync): StatementSync {
    let prepared = this.#prepared.get(connection);
    if (!prepared) {
      prepared = connection.prepare(this.#query.sql);
      this.#prepared.set(connection, prepared);
    }
    return prepared;
  }

  #bind(values: V): SQLInputValue[] {
    return this.#query.parameters.map((parameter) => {
      const value = parameter instanceof Placeholder ? values[parameter.name] : (parameter as SQLInputValue);
      if (value === undefined) throw new TypeError(`a value is missing in: ${this.#query.sql}`);
      return value;
    });
  }
}

/**
 * Statements over one schema.
 * `statement<{ id: number }>()((query, value) => query.selectFrom('user').selectAll().where('id', '=', value.id))`
 */
export function statementsOf<Schema>() {
  const query = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return <V extends Values = Record<never, never>>() =>
    <Row>(build: (query: Kysely<Schema>, value: Placeholders<V>) => { compile(): CompiledQuery<Row> }) =>
      new Statement<V, Row>(build(query, placeholders<V>()).compile());
}

function placeholders<V extends Values>(): Placeholders<V> {
  const byName: ProxyHandler<Placeholders<V>> = { get: (_, name) => sql`${new Placeholder(String(name))}` };
  return new Proxy({} as Placeholders<V>, byName);
}
