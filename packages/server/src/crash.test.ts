import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NetworkError, ServerError, connect, fetchApiKey, getEvents, getMessages, registerQueue, sendMessage } from '@engawa/client';
import type { Connection } from '@engawa/client';
import { describe, expect, it } from 'vitest';
import { emailOf } from './testing/product.ts';
import { startProcess } from './testing/serverProcess.ts';

const kills = 5;
const stream = 'プロダクト開発部';

async function signIn(realm: string, name: string): Promise<Connection> {
  const username = emailOf(name);
  const { api_key: apiKey } = await fetchApiKey(connect({ realm }), { username, password: 'demo' });
  return connect({ realm, username, apiKey });
}

/** Does it again until the server is back. Whatever else goes wrong is wrong. */
async function insist<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NetworkError) && !(error instanceof ServerError)) throw error;
      await pause(20);
    }
  }
}

/** Writes until told to stop, each message again with the same id until it is acknowledged. */
async function write(member: Connection, name: string, signal: AbortSignal): Promise<Map<number, string>> {
  const acknowledged = new Map<number, string>();
  for (let count = 1; !signal.aborted; count += 1) {
    const content = `${name} ${count}`;
    const client_message_id = crypto.randomUUID();
    const message = { type: 'stream', to: stream, topic: 'stream events', content, client_message_id };
    const { id } = await insist(() => sendMessage(member, message));
    acknowledged.set(id, content);
  }
  return acknowledged;
}

interface Poller {
  /** What was heard so far, in the order of hearing. */
  readonly heard: { readonly event: number; readonly message: number }[];
  poll(): Promise<void>;
}

async function startPolling(member: Connection): Promise<Poller> {
  const queue = await registerQueue(member, { event_types: ['message'] });
  const heard: { event: number; message: number }[] = [];
  let last_event_id = queue.last_event_id;
  return {
    heard,
    async poll() {
      const { events } = await insist(() => getEvents(member, { queue_id: queue.queue_id, last_event_id, dont_block: true }));
      for (const event of events) {
        last_event_id = event.id;
        if (event.type === 'message') heard.push({ event: event.id, message: event.message.id });
      }
    },
  };
}

describe('a server that is killed while members write', () => {
  it('[R4.8.2] has every acknowledged message once, and a polling client goes on with the same queue', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-crash-'));
    let server = await startProcess(dataDirectory, 0);
    const port = Number(new URL(server.address).port);
    const names = ['sato', 'suzuki', 'tanaka'] as const;
    const members = await Promise.all(names.map((name) => signIn(server.address, name)));
    const reader = await signIn(server.address, 'yamamoto');
    const poller = await startPolling(reader);

    const writing = new AbortController();
    const writers = members.map((member, index) => write(member, String(index), writing.signal));
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(50 + Math.random() * 200);
      await poller.poll();
      await server.kill();
      server = await startProcess(dataDirectory, port);
    }
    await pause(100);
    writing.abort();
    const acknowledged = new Map((await Promise.all(writers)).flatMap((each) => [...each]));
    await poller.poll();

    const narrow = [{ operator: 'stream', operand: stream }];
    const asked = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false, narrow };
    const { messages } = await getMessages(reader, asked);
    const stored = messages.filter(({ content }) => /^\d \d+$/.test(content));

    expect(acknowledged.size).toBeGreaterThan(kills * 3);
    expect(stored.map(({ id, content }) => [id, content])).toEqual([...acknowledged].toSorted(([a], [b]) => a - b));
    expect(new Set(stored.map(({ content }) => content)).size).toBe(stored.length);
    // Nothing was skipped, nothing was told twice, and numbers went up through every restart.
    expect(poller.heard.map(({ message }) => message)).toEqual(stored.map(({ id }) => id));
    expect(poller.heard.every(({ event }, at) => at === 0 || event > (poller.heard[at - 1]?.event ?? 0))).toBe(true);

    await server.stop();
    rmSync(dataDirectory, { recursive: true });
  }, 60_000);
});
