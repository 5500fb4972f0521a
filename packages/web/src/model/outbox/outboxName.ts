/** Each member has a database per origin, that is per server. */
const outboxPrefix = 'engawa outbox ';

export const outboxName = (userId: number) => outboxPrefix + userId;

/**
 * Deletes the stored outbox at sign-out; other tabs close their connections to it.
 * @param userId if undefined, the outboxes of all members are deleted.
 * @throws if the browser has no databases.
 */
export async function forgetOutbox(userId: number | undefined): Promise<void> {
  const names = userId === undefined ? (await indexedDB.databases()).map(({ name = '' }) => name) : [outboxName(userId)];
  for (const name of names) if (name.startsWith(outboxPrefix)) indexedDB.deleteDatabase(name);
}
