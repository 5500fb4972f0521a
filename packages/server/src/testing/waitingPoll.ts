/**
 * A poll that waits at the server. The server does not signal when a poll has arrived; but the later of two polls on one
 * queue ends the earlier, so once one is answered the other waits.
 */
export async function waitingPoll<Answer>(poll: () => Promise<Answer>): Promise<{ readonly answer: Promise<Answer> }> {
  const one = poll();
  const other = poll();
  return Promise.race([one.then(() => ({ answer: other })), other.then(() => ({ answer: one }))]);
}
