/** The name of a database ends with the member. Each server has its own databases, because its origin differs. */
const outboxPrefix = 'engawa outbox ';

export const outboxName = (userId: number) => outboxPrefix + userId;

/** Deletes the stored outbox, or those of all members, at sign-out. @throws if the browser has no databases. */
export async function forgetOutbox(userId: number | undefined): Promise<void> {
  const names = userId === undefined ? (await indexedDB.databases()).map(({ name = '' }) => name) : [outboxName(userId)];
  for (const name of names) if (name.startsWith(outboxPrefix)) indexedDB.deleteDatabase(name);
}
