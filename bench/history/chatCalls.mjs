// Calls of the chat API on a chat server in this process, without a network.
import { setTimeout as pause } from 'node:timers/promises';
import { givenBody } from '../../packages/chat-server/src/http/exchange.ts';
import { all, credentialsOf } from './dataFolder.mjs';

/** The function is called with the credentials as a header value. */
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
      body: givenBody(Buffer.from(method === 'POST' ? query : '')),
      address: '192.0.2.1',
      signal: new AbortController().signal,
    });
  };
}

export function answerIn({ status, body }) {
  const answer = JSON.parse(Buffer.from(body).toString());
  if (status !== 200) throw new Error(`${status}: ${answer.msg}`);
  return answer;
}

/** Milliseconds, ascending. */
export async function timesOf(rounds, run, warmUps = 5) {
  const times = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const start = performance.now();
    await run();
    if (round >= 0) times.push(performance.now() - start);
  }
  return times.toSorted((one, other) => one - other);
}

/** The server answers 503 while its index is incomplete. */
export async function untilIndexed(call) {
  const narrow = JSON.stringify([['search', '鬱蒼']]);
  const parameters = { anchor: 'newest', num_before: '20', num_after: '0', narrow };
  for (;;) {
    const answer = await call('GET', '/messages', parameters, credentialsOf(all));
    if (answer.status !== 503) return answerIn(answer);
    await pause(20);
  }
}
