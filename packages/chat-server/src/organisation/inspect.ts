import { type Reader, openReader } from '../database/index.ts';
import { queries } from '../schema.ts';
import { realms } from '../realm/store.ts';

const newestMessage = queries.row((query) =>
  query
    .selectFrom('message')
    .select('timestamp as time')
    .where('id', '=', (messages) => messages.selectFrom('message').select((build) => build.fn.max('id').as('id'))),
);
const newestEvent = queries.row((query) => query.selectFrom('event').select('created as time').orderBy('id', 'desc').limit(1));

/**
 * The newest stored time in unix seconds, undefined if there is none. A clock that is behind it was set back.
 * @param file the path of `chat.db`, which may be in use.
 */
export function newestTime(file: string): number | undefined {
  const { reader, close } = openReader(file);
  try {
    return newestTimeIn(reader);
  } finally {
    close();
  }
}

export function newestTimeIn(reader: Reader): number | undefined {
  const times = [newestMessage(reader), newestEvent(reader)].flatMap((row) => row?.time ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Whether the database has an organisation. @param file the path of `chat.db`, which may be in use. */
export function holdsOrganisation(file: string): boolean {
  const { reader, close } = openReader(file);
  try {
    return realms.get(reader) !== undefined;
  } finally {
    close();
  }
}
