/** A member's outbox is a database of its own in this browser, which is as well this server's: another origin sees none of it. */
const outboxPrefix = 'engawa outbox ';

export const outboxName = (userId: number) => `${outboxPrefix}${userId}`;

/** Undefined where the browser keeps nothing. */
export function browserDatabases(): IDBFactory | undefined {
  try {
    return indexedDB;
  } catch {
    return undefined;
  }
}

/**
 * Whoever signs out on purpose sends nothing more from this computer. Tabs that have the database open let go of it.
 * @param userId undefined where nobody knows who it was: then nothing of anybody stays.
 */
export async function forgetOutbox(databases: IDBFactory | undefined, userId: number | undefined): Promise<void> {
  const names = userId === undefined ? (await databases?.databases())?.map(({ name = '' }) => name) : [outboxName(userId)];
  for (const name of names ?? []) if (name.startsWith(outboxPrefix)) databases?.deleteDatabase(name);
}
