/*
 * Large changes by an administrator of 2,000 members: a call that subscribes 1,000 of them, and the search for a member. The
 * figure is the longest stall of the server's main thread meanwhile, next to the same server without calls.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { all, credentialsOf } from './dataFolder.mjs';
import { answerOf, longestStall, startServer } from './serverProcess.mjs';
import { historyFor } from './sharedHistory.mjs';

const rounds = 5;
const subscribed = 1000;

export async function measure({ long, scale, log }) {
  const { directory } = await historyFor({ long, scale, log });
  const server = await startServer(directory, { isWatched: true });
  const headers = { authorization: credentialsOf(all), 'content-type': 'application/x-www-form-urlencoded' };
  const subscribe = (round) => {
    const subscriptions = JSON.stringify([{ name: `burst ${Date.now()} ${round}` }]);
    // The first users of the folder are special.
    const principals = JSON.stringify(Array.from({ length: subscribed }, (_, index) => 4 + index));
    const form = new URLSearchParams({ subscriptions, principals }).toString();
    return answerOf(`${server.url}/api/v1/users/me/subscriptions`, { method: 'POST', headers }, form);
  };
  const search = () => answerOf(`${server.url}/api/administration/members?search=member19`, { headers });
  try {
    const quiet = await longestStall(server, () => pause(500));
    const figures = [];
    for (const [name, run] of [
      [`a call that subscribes ${subscribed.toLocaleString('en')} members`, subscribe],
      ['the search for a member', search],
    ]) {
      log(`${name} …`);
      const stalls = [];
      for (let round = 0; round < rounds; round += 1) stalls.push(await longestStall(server, () => run(round)));
      const value = stalls.toSorted((one, other) => one - other)[Math.floor(rounds / 2)];
      figures.push({
        name: `${name}: longest stall of the server`,
        value,
        unit: 'ms',
        reference: { name: 'limit', value: 50, kind: 'limit' },
        detail: `median of ${rounds}; without calls ${quiet.toFixed(0)} ms`,
      });
    }
    return figures;
  } finally {
    await server.stop();
  }
}
