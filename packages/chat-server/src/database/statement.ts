import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  DummyDriver,
  type Expression,
  type InsertResult,
  Kysely,
  type LimitNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
  sql,
} from 'kysely';
import type { Reader, Transaction } from './database.ts';

export type Values = readonly unknown[];

/** A parameter of a statement. A list becomes JSON (see `each`), because SQLite has no lists; a boolean becomes 0 or 1. */
export type Value<T> = Expression<T>;
export type Columns<Row> = { readonly [Name in keyof Row]-?: Expression<Required<Row>[Name]> };
type Given<Parameter> =
  Parameter extends Expression<infer T>
    ? T
    : { readonly [Name in keyof Parameter]: Parameter[Name] extends Expression<infer T> ? T : never };
type GivenEach<Parameters extends readonly unknown[]> = { [Index in keyof Parameters]: Given<Parameters[Index]> };

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

class Placeholder {
  readonly index: number;
  readonly column: string | undefined;
  constructor(index: number, column?: string) {
    this.index = index;
    this.column = column;
  }
}

interface Prepared<Row> {
  readonly statement: StatementSync;
  readonly rowOf: (cells: object) => Row;
}

/** SQLite's binding returns rows as arrays here: as objects they are dictionaries, which are slower to make and to read. */
function preparedOf<Row>(statement: StatementSync): Prepared<Row> {
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const rowOf = (cells: object): Row => {
    const values: readonly unknown[] = Array.isArray(cells) ? cells : [];
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = values[index];
    // The query builder derived the type of the row from `Schema`, which the migrations match.
    return row as Row;
  };
  return { statement, rowOf };
}

/** One SQL statement, built and typed once, prepared once per connection, and run with values. */
export class Statement<V extends Values, Row> {
  readonly #query: CompiledQuery<Row>;
  readonly #prepared = new WeakMap<DatabaseSync, Prepared<Row>>();
  /** The table whose rows the statement changes; undefined if it only reads. */
  readonly changes: string | undefined;

  constructor(query: CompiledQuery<Row>) {
    this.#query = query;
    this.changes = /^(?:insert into|update|delete from) "(\w+)"/.exec(query.sql)?.[1];
  }

  all(connection: DatabaseSync, values: V): Row[] {
    const { statement, rowOf } = this.#on(connection);
    return statement.all(...this.#bind(values)).map(rowOf);
  }

  get(connection: DatabaseSync, values: V): Row | undefined {
    const { statement, rowOf } = this.#on(connection);
    const cells = statement.get(...this.#bind(values));
    return cells && rowOf(cells);
  }

  /** @returns how many rows changed. */
  run(connection: DatabaseSync, values: V): number {
    return Number(this.#on(connection).statement.run(...this.#bind(values)).changes);
  }

  /** @returns the integer primary key of the new row. */
  insert(connection: DatabaseSync, values: V): number {
    return Number(this.#on(connection).statement.run(...this.#bind(values)).lastInsertRowid);
  }

  #on(connection: DatabaseSync): Prepared<Row> {
    let prepared = this.#prepared.get(connection);
    if (!prepared) {
      prepared = preparedOf(connection.prepare(this.#query.sql));
      this.#prepared.set(connection, prepared);
    }
    return prepared;
  }

  #bind(values: V): SQLInputValue[] {
    return this.#query.parameters.map((parameter) => {
      const value = parameter instanceof Placeholder ? valueAt(values, parameter) : parameter;
      if (value === undefined) throw new TypeError(`a value is missing in: ${this.#query.sql}`);
      if (typeof value === 'boolean') return Number(value);
      return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
    });
  }
}

/**
 * Makes functions that run one statement each, for the tables of `Schema`:
 * `byId: queries.row((query, id: Value<number>) => query.selectFrom('user').selectAll().where('id', '=', id))`
 */
export function queriesOf<Schema>() {
  const query = builderOf<Schema>();
  const compile = <Parameters extends readonly unknown[], Row>(
    build: (query: Kysely<Schema>, ...parameters: Parameters) => Compilable<Row>,
  ) => {
    const parameters = Array.from({ length: build.length - 1 }, (_, index) => placeholder(index));
    return new Statement<GivenEach<Parameters>, Row>(build(query, ...(parameters as readonly unknown[] as Parameters)).compile());
  };
  type Build<Parameters extends readonly unknown[], Row> = (query: Kysely<Schema>, ...parameters: Parameters) => Compilable<Row>;
  const changing = <Parameters extends readonly unknown[], Row>(build: Build<Parameters, Row>) => {
    const statement = compile(build);
    if (statement.changes === undefined) throw new TypeError('a change names its table first');
    return statement;
  };
  return {
    rows<Parameters extends readonly unknown[], Row>(build: Build<Parameters, Row>) {
      const statement = compile(build);
      return (reader: Reader, ...values: GivenEach<Parameters>): Row[] => reader.all(statement, values);
    },
    row<Parameters extends readonly unknown[], Row>(build: Build<Parameters, Row>) {
      const statement = compile(build);
      return (reader: Reader, ...values: GivenEach<Parameters>): Row | undefined => reader.get(statement, values);
    },
    /** Returns the only column of each row. */
    values<Parameters extends readonly unknown[], Row extends object>(build: Build<Parameters, Row>) {
      const statement = compile(build);
      return (reader: Reader, ...values: GivenEach<Parameters>): Row[keyof Row][] =>
        reader.all(statement, values).map(onlyColumn);
    },
    /** Returns the only column of the first row. */
    value<Parameters extends readonly unknown[], Row extends object>(build: Build<Parameters, Row>) {
      const statement = compile(build);
      return (reader: Reader, ...values: GivenEach<Parameters>): Row[keyof Row] | undefined => {
        const row = reader.get(statement, values);
        return row && onlyColumn(row);
      };
    },
    /** @returns how many rows changed. */
    run<Parameters extends readonly unknown[], Row>(build: Build<Parameters, Row>) {
      const statement = changing(build);
      return (tx: Transaction, ...values: GivenEach<Parameters>): number => tx.run(statement, values);
    },
    /**
     * For one row of a table whose primary key is an integer. With RETURNING, SQLite would copy each page before it changes it.
     * @returns the key.
     */
    insert<Parameters extends readonly unknown[]>(build: Build<Parameters, InsertResult>) {
      const statement = changing(build);
      return (tx: Transaction, ...values: GivenEach<Parameters>): number => tx.insert(statement, values);
    },
  };
}

/** The elements of a list parameter, for a condition with `in`. */
export const each = <T>(list: Value<readonly T[] | null>) => sql<T>`(SELECT value FROM json_each(${list}))`;

/** SQLite compiles a statement again for each run if its limit is a parameter, but not if it is an expression. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit ');
    if (ValueNode.is(limit)) {
      this.appendImmediateValue(limit.value);
    } else {
      this.visitNode(limit);
      this.append(' + 0');
    }
  }
}

function builderOf<Schema>(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
}

/** Stands for a parameter while the statement is built. Its properties stand for the columns of a parameter that is a row. */
function placeholder(index: number): Expression<unknown> {
  const whole = sql`${new Placeholder(index)}`;
  return new Proxy(whole, {
    get(_, name) {
      const own: unknown = Reflect.get(whole, name, whole);
      if (typeof own === 'function') return own.bind(whole);
      return own === undefined && typeof name === 'string' ? sql`${new Placeholder(index, name)}` : own;
    },
  });
}

function valueAt(values: Values, { index, column }: Placeholder): unknown {
  const value = values[index];
  if (column === undefined) return value;
  return isRow(value) ? value[column] : undefined;
}

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function onlyColumn<Row extends object>(row: Row): Row[keyof Row] {
  for (const name in row) return row[name];
  throw new TypeError('a row has at least one column');
}
