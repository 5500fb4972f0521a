/**
 * A poll that has come to the server and waits there. Nothing tells when a single one has; of two on the same queue the
 * later one ends the earlier, so when one of them is answered the other waits.
 */
export async function waitingPoll<Answer>(poll: () => Promise<Answer>): Promise<{ readonly answer: Promise<Answer> }> {
  const one = poll();
  const other = poll();
  return Promise.race([one.then(() => ({ answer: other })), other.then(() => ({ answer: one }))]);
}
