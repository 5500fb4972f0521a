/*
 * One member makes as many expensive calls at once as the default rate limit allows, while another member reads and writes.
 * The figures are the answer times of the other member.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultRateLimits } from '../../packages/protocol/src/limits.ts';
import { percentile } from '../samples.mjs';
import { answerIn } from './chatCalls.mjs';
import { all, credentialsOf, registrationForm, unreadAll } from './dataFolder.mjs';
import { answerOf, startServer } from './serverProcess.mjs';
import { historyFor, withChat } from './sharedHistory.mjs';

/** Milliseconds: the p99 of the other member. */
const limit = 100;
const mostCalls = defaultRateLimits.member.calls;
const audience = 1000;
/** Milliseconds between two calls of the others. */
const pauseBetween = 20;
const leastSamples = 50;

const attacker = (number) => `member${number}@example.com`;
/** They call in turn, so that none of them reaches the rate limit. */
const others = Array.from({ length: 40 }, (_, number) => credentialsOf(`member${100 + number}@example.com`));
const longText = '(*^_^*)'.repeat(1428);
const query = (values) => new URLSearchParams(values).toString();

const fetchOf = (narrow, values = {}) => ({
  method: 'GET',
  path: `/messages?${query({
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    apply_markdown: false,
    narrow: JSON.stringify(narrow),
    ...values,
  })}`,
});

/** Each has its own attacker, because a rate limit holds for a minute. `prepare` makes calls before, and returns the repeated call. */
const attacks = {
  'searches for * in messages of 10,000 characters': {
    as: attacker(0),
    async prepare(call) {
      const { streams } = await call('GET', `/users/me/subscriptions`).then(({ subscriptions }) => ({ streams: subscriptions }));
      for (let count = 0; count < 30; count += 1) {
        await call('POST', '/messages', query({ type: 'stream', to: streams[0].stream_id, topic: 't', content: longText }));
      }
      return fetchOf([['search', '*']]);
    },
  },
  'searches without a result for two frequent words': {
    as: attacker(1),
    prepare: () => fetchOf([['search', '会議議会']]),
  },
  'registrations of a member with 100,000 unread messages in 500 streams': {
    as: unreadAll,
    prepare: () => ({ method: 'POST', path: '/register', form: registrationForm }),
  },
  'fetches of 5,000 rendered messages': {
    as: attacker(2),
    prepare: () => fetchOf([], { num_before: 5000, apply_markdown: true }),
  },
  'fetches that examine the whole history without a result': {
    as: attacker(3),
    prepare: () => fetchOf([['has', 'reaction']]),
  },
  'counts of the readers of 80 messages in a stream of 1,000': {
    as: attacker(4),
    async prepare(call) {
      const members = Array.from({ length: audience }, (_, number) => number + 5);
      await call(
        'POST',
        '/users/me/subscriptions',
        query({
          subscriptions: JSON.stringify([{ name: 'crowd' }]),
          invite_only: true,
          principals: JSON.stringify(members),
        }),
      );
      const ids = [];
      for (let count = 0; count < 80; count += 1) {
        const { id } = await call(
          'POST',
          '/messages',
          query({ type: 'stream', to: JSON.stringify('crowd'), topic: 't', content: 'a' }),
        );
        ids.push(id);
      }
      return { method: 'GET', path: `/read_receipts?${query({ messages: JSON.stringify(ids) })}` };
    },
  },
  'previews of messages of 10,000 characters': {
    as: attacker(5),
    prepare: () => ({ method: 'POST', path: '/messages/render', form: query({ content: longText }) }),
  },
  'marks 5,000 messages as read and unread': {
    as: attacker(6),
    async prepare(call) {
      const { messages } = await call('GET', fetchOf([], { num_before: 5000 }).path);
      const ids = JSON.stringify(messages.map(({ id }) => id));
      return ['add', 'remove'].map((op) => ({
        method: 'POST',
        path: '/messages/flags',
        form: query({ messages: ids, op, flag: 'read' }),
      }));
    },
  },
};

export async function measure({ long, scale, log }) {
  const history = await historyFor({ long, scale, log });
  await withChat(history, async (call) => {
    const shown = { method: 'PATCH', read_receipts: 'all' };
    answerIn(await call('POST', '/realm', shown, credentialsOf(all)));
  });
  const server = await startServer(history.directory, { rateLimit: undefined, isWatched: true });
  try {
    const figures = [await underAttack(server, 'no attack', { as: attacker(9), prepare: () => [] })];
    for (const [name, attack] of Object.entries(attacks)) {
      log(`${name} …`);
      figures.push(await underAttack(server, name, attack));
    }
    return figures;
  } finally {
    await server.stop();
  }
}

async function underAttack({ url }, name, { as, prepare }) {
  let made = 0;
  const authorization = credentialsOf(as);
  const call = async (method, path, form) => {
    made += 1;
    const headers = { authorization, ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) };
    return JSON.parse(await answerOf(`${url}/api/v1${path}`, { method, headers }, form));
  };
  const repeated = [await prepare(call)].flat();
  const calls =
    repeated.length === 0 ? [] : Array.from({ length: mostCalls - made - 1 }, (_, number) => repeated[number % repeated.length]);
  const attack = { isOver: false };
  const attacking = launched({ url, authorization, calls }).finally(() => {
    attack.isOver = true;
  });
  const times = [];
  const agent = new Agent({ keepAlive: true });
  while (!attack.isOver || times.length < leastSamples) {
    const start = performance.now();
    await readNewest(url, agent, others[times.length % others.length]);
    times.push(performance.now() - start);
    await pause(pauseBetween);
  }
  agent.destroy();
  const { answered } = await attacking;
  return {
    name: `p99 of another member during ${name}`,
    value: percentile(times, 99),
    unit: 'ms',
    reference: { name: 'limit', value: limit, kind: 'limit' },
    detail: `p50 ${percentile(times, 50).toFixed(1)} ms of ${times.length}; ${answered} of ${calls.length} calls answered`,
  };
}

async function launched(task) {
  const attackerProcess = fork(join(import.meta.dirname, 'attacker.mjs'), { stdio: 'inherit' });
  attackerProcess.send(task);
  const [done] = await Promise.race([
    once(attackerProcess, 'message'),
    once(attackerProcess, 'exit').then(([code]) => Promise.reject(new Error(`the attacker's process ended with ${code}`))),
  ]);
  return done;
}

function readNewest(url, agent, authorization) {
  return answerOf(`${url}/api/v1${fetchOf([]).path}`, { agent, headers: { authorization } });
}
