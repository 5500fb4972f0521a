/** Milliseconds until the stored response is used instead of a slow server's. */
export const patience = 4000;

/**
 * The server's response, so that a new version is used at once. The stored one, if the server is late, unreachable or reports
 * that it is down; without a stored one, the server's in any case.
 * @param fetched undefined if the server is unreachable.
 */
export async function networkFirst(
  fetched: Promise<Response | undefined>,
  stored: () => Promise<Response | undefined>,
): Promise<Response> {
  const { promise: tooLong, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, patience, undefined);
  const fresh = await Promise.race([fetched, tooLong]);
  clearTimeout(timer);
  if (fresh && fresh.status < 500) return fresh;
  return (await stored()) ?? (await fetched) ?? Response.error();
}
