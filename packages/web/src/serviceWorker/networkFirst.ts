export const patienceMs = 4000;

/** Returns the server's response. Returns the stored one if the server is late, down or unreachable (`fetched` is undefined). */
export async function networkFirst(
  fetched: Promise<Response | undefined>,
  stored: () => Promise<Response | undefined>,
): Promise<Response> {
  const { promise: tooLong, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, patienceMs, undefined);
  const fresh = await Promise.race([fetched, tooLong]);
  clearTimeout(timer);
  if (fresh && fresh.status < 500) return fresh;
  return (await stored()) ?? (await fetched) ?? Response.error();
}
