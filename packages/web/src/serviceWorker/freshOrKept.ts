/** Milliseconds that a server has to begin an answer before what is kept is shown in its place. */
export const patience = 4000;

/**
 * The server's answer, so that a new version is seen at once; what is kept where none comes in time, or where the server or a
 * proxy before it says that it is down; what the server said all the same where nothing is kept.
 * @param asked undefined where the server cannot be reached.
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
