/** Milliseconds until the stored response is used instead of a slow server's. */
export const patience = 4000;

/**
 * The server's response, so that a new version is used at once. The stored one, if the server is late, unreachable or reports
 * that it is down; without a stored one, the server's in any case.
 * @param asked undefined if the server is unreachable.
 */
export async function freshOrKept(
  asked: Promise<Response | undefined>,
  kept: () => Promise<Response | undefined>,
): Promise<Response> {
  const { promise: tooLong, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, patience, undefined);
  const fresh = await Promise.race([asked, tooLong]);
  clearTimeout(timer);
  if (fresh && fresh.status < 500) return fresh;
  return (await kept()) ?? (await asked) ?? Response.error();
}
