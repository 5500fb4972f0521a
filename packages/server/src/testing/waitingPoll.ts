/** The server does not signal when a poll arrives. The later of two polls ends the earlier, so the later then waits. */
export async function waitingPoll<Answer>(poll: () => Promise<Answer>): Promise<{ readonly answer: Promise<Answer> }> {
  const one = poll();
  const other = poll();
  return Promise.race([one.then(() => ({ answer: other })), other.then(() => ({ answer: one }))]);
}
