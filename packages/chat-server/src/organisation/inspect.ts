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

/** @param file the path of `chat.db`, which may be in use. */
function inspect<Result>(file: string, look: (reader: Reader) => Result): Result {
  const { reader, close } = openReader(file);
  try {
    return look(reader);
  } finally {
    close();
  }
}

export const newestTime = (file: string): number | undefined => inspect(file, newestTimeIn);
export const holdsOrganisation = (file: string): boolean => inspect(file, (reader) => realms.get(reader) !== undefined);

/** The newest stored time, in unix seconds. If the system clock is behind it, that clock was set back. */
export function newestTimeIn(reader: Reader): number | undefined {
  const times = [newestMessage(reader), newestEvent(reader)].flatMap((row) => row?.time ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}
