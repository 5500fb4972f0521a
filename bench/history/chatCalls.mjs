// Calls of the chat API on a chat server in this process, without a network: what they take is the server's own.

/** @returns {(method: string, path: string, values: Record<string, string>, credentials?: string) => Promise<{ status: number, body: Uint8Array }>} */
export function callsOf(server) {
  return async (method, path, values, credentials) => {
    const query = new URLSearchParams(values).toString();
    return server.fetch({
      method,
      url: `/api/v1${path}${method === 'POST' ? '' : `?${query}`}`,
      headers: {
        'user-agent': 'Engawa/1.0',
        'content-type': 'application/x-www-form-urlencoded',
        ...(credentials ? { authorization: credentials } : {}),
      },
      body: method === 'POST' ? [Buffer.from(query)] : [],
      address: '192.0.2.1',
      signal: new AbortController().signal,
    });
  };
}

/** @throws where it was refused. */
export function answerIn({ status, body }) {
  const answer = JSON.parse(Buffer.from(body).toString());
  if (status !== 200) throw new Error(`${status}: ${answer.msg}`);
  return answer;
}

/** Milliseconds of each, ascending, without the rounds that warm up. */
export async function timesOf(rounds, does, warmingUp = 5) {
  const times = [];
  for (let round = -warmingUp; round < rounds; round += 1) {
    const begun = performance.now();
    await does();
    if (round >= 0) times.push(performance.now() - begun);
  }
  return times.toSorted((one, other) => one - other);
}
