import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getMessages, sendMessage } from '@engawa/client';
import { outgoingHookPaths, outgoingHookSecrets } from '@engawa/protocol/outgoing-hooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { insist, realm, siteOn } from '../../testing/crash/site.ts';
import { type Received, answering, openReceiver } from '../../testing/receiver.ts';
import { administrator } from '../../testing/outgoingHooks.ts';

/** When the server is killed: while the receiver has a post, when it has answered, or a moment later. */
const moments = ['asked', 'answered', 'later'] as const;
type Moment = (typeof moments)[number];
const rounds = 9;

const dataOf = ({ body }: Received): string => JSON.parse(body).data;

it('A server that is killed around its posts loses no message, repeats posts only with their id, and sends each answer once', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-hooks-'));
  const site = siteOn(dataDirectory);
  let killAt: { readonly moment: Moment; readonly done: () => void } | undefined;
  const kill = async (now: Moment) => {
    if (killAt?.moment !== now) return;
    const { done } = killAt;
    killAt = undefined;
    await site.kill();
    done();
  };
  const receiver = await openReceiver(async (response, received) => {
    await kill('asked');
    answering(200, { content: `「${dataOf(received)}」を受け取りました` })(response, received);
    await once(response, 'close');
    await kill('answered');
    setTimeout(() => void kill('later'), 3);
  });
  onTestFinished(async () => {
    await site.kill();
    await receiver.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
  await site.open();
  const [tanaka, suzuki, owner] = await Promise.all(['tanaka', 'suzuki', administrator].map((name) => site.signIn(name)));
  if (!tanaka || !suzuki || !owner) throw new TypeError();
  const ask = async ({ authorization }: typeof tanaka, path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await site.fetch(realm + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json();
  };
  await ask(owner, outgoingHookPaths.origins, { origin: receiver.origin, is_private: true });
  const created = await ask(suzuki, outgoingHookPaths.hooks, { name: '申請 係', address: receiver.origin });
  const { id } = outgoingHookSecrets.parse(created).hook;

  const sent: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const moment = moments[round % moments.length];
    const killed = new Promise<void>((done) => {
      if (moment) killAt = { moment, done };
    });
    for (const part of ['前', '後']) {
      const content = `${round} の${part}`;
      const client_message_id = randomUUID();
      // The answer may be lost in the kill, so the send is repeated until the server has it.
      void insist(() => sendMessage(tanaka.connection, { type: 'direct', to: `[${id}]`, content, client_message_id }));
      sent.push(content);
    }
    await killed;
    await site.open();
  }

  await vi.waitFor(() => expect(new Set(receiver.received.map(dataOf))).toEqual(new Set(sent)), { timeout: 30_000 });
  const idsOf = Map.groupBy(receiver.received, dataOf);
  for (const [data, posts] of idsOf) {
    expect([data, new Set(posts.map(({ headers }) => headers['webhook-id'])).size]).toEqual([data, 1]);
  }
  // The kills left at least one post in doubt, which the test would otherwise not have examined.
  expect(receiver.received.length).toBeGreaterThan(sent.length);
  const ids = receiver.received.map(({ headers }) => Number(String(headers['webhook-id']).split('-')[1]));
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));

  const page = {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    narrow: [{ operator: 'dm', operand: [id] }],
    apply_markdown: false,
  };
  await vi.waitFor(
    async () => {
      const { messages } = await getMessages(tanaka.connection, page);
      const answers = messages.filter(({ sender_id }) => sender_id === id).map(({ content }) => content);
      expect(answers.toSorted()).toEqual(sent.map((data) => `「${data}」を受け取りました`).toSorted());
    },
    { timeout: 30_000 },
  );
}, 120_000);
