/** A member's outbox is a database of its own in this browser, which is as well this server's: another origin sees none of it. */
const outboxPrefix = 'engawa outbox ';

export const outboxName = (userId: number) => outboxPrefix + userId;

/**
 * Whoever signs out on purpose sends nothing more from this computer. Tabs that have the database open let go of it.
 * @param userId undefined where nobody knows who it was: then nothing of anybody stays.
 * @throws where the browser keeps no databases at all.
 */
export async function forgetOutbox(userId: number | undefined): Promise<void> {
  const names = userId === undefined ? (await indexedDB.databases()).map(({ name = '' }) => name) : [outboxName(userId)];
  for (const name of names) if (name.startsWith(outboxPrefix)) indexedDB.deleteDatabase(name);
}
