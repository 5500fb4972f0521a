import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, callOnEachEvent, getMessage, sendMessage, updateMessageFlags } from '@engawa/client';
import { composeFileMessage, parseFileMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { expect, it, onTestFinished } from 'vitest';
import { rowsOf, sumsOf } from '../testing/contents.ts';
import { type Member, type Site, realm, siteOn } from '../testing/crash/site.ts';
import { makeBackup } from './backup.ts';
import { fileDirectories } from '../storage/layout.ts';
import { restoreBackup } from './restore.ts';

const stream = 'プロダクト開発部';
const enough = 20;

interface Writer {
  readonly connection: Connection;
  /** Texts of acknowledged messages by id. */
  readonly sent: Map<number, string>;
  readonly starred: Set<number>;
  readonly uploaded: Map<string, string>;
  readonly ended: Promise<void>;
}

const sumOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Sends, stars and uploads until it is aborted. */
function write(site: Site, { connection, authorization }: Member, signal: AbortSignal): Writer {
  const writer = { connection, sent: new Map<number, string>(), starred: new Set<number>(), uploaded: new Map<string, string>() };
  const say = async (content: string) => {
    const { id } = await sendMessage(connection, { type: 'stream', to: stream, topic: 'stream events', content });
    writer.sent.set(id, content);
    return id;
  };
  const upload = async () => {
    const storedName = `${randomUUID().replaceAll('-', '').slice(0, 20)}.bin`;
    const content = Buffer.from(`${randomUUID()}\n`.repeat(2000));
    const form = new FormData();
    form.append('file', new File([content], 'report.bin'));
    form.append('dstFileName', storedName);
    const answer = await site.fetch(realm + paths.upload, { method: 'POST', body: form, headers: { authorization } });
    expect(answer.status).toBe(200);
    writer.uploaded.set(storedName, sumOf(content));
    await say(composeFileMessage({ name: 'report.bin', storedName, size: content.length }));
  };
  const work = async () => {
    for (let count = 0; !signal.aborted; count += 1) {
      const id = await say(`${count} ${randomUUID()}`);
      await updateMessageFlags(connection, { messages: [id], op: 'add', flag: 'starred' });
      writer.starred.add(id);
      if (count % 3 === 0) await upload();
    }
  };
  return { ...writer, ended: work() };
}

it('A backup made while members write and upload is complete, and clients continue automatically after a restore', async () => {
  const home = mkdtempSync(join(tmpdir(), 'engawa-load-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [data, backup, restored] = [join(home, 'data'), join(home, 'backup'), join(home, 'restored')];
  const site = siteOn(data);
  await site.open();
  onTestFinished(() => site.stop());

  // This client listens all the time and does not know what happens to the server.
  const reader = await site.signIn('yamamoto');
  const listening = new AbortController();
  onTestFinished(() => listening.abort());
  const heard: string[] = [];
  let registrations = 0;
  callOnEachEvent(
    reader.connection,
    (event) => {
      if (event.type === 'message') heard.push(event.message.content);
    },
    {
      eventTypes: ['message'],
      recover: true,
      pause: 'after-empty-or-failed',
      signal: listening.signal,
      registration: { apply_markdown: false },
      // It retries every second, however long the server is down.
      random: () => 0,
      onRegister: () => {
        registrations += 1;
      },
      log: () => undefined,
    },
  );

  const writing = new AbortController();
  const members = await Promise.all(['sato', 'suzuki', 'tanaka'].map((name) => site.signIn(name)));
  const writers = members.map((member) => write(site, member, writing.signal));
  const countOf = () => writers.reduce((sum, { sent }) => sum + sent.size, 0);
  await expect.poll(countOf).toBeGreaterThan(enough);

  const before = writers.map(({ sent, starred, uploaded }) => ({
    sent: new Map(sent),
    starred: new Set(starred),
    uploaded: new Map(uploaded),
  }));
  const manifest = await makeBackup(data, backup, 'copy');
  const atEnd = countOf();
  await expect.poll(countOf).toBeGreaterThan(atEnd + enough);
  writing.abort();
  await Promise.all(writers.map(({ ended }) => ended));
  expect(manifest.lost).toEqual([]);
  const all = new Map(writers.flatMap(({ sent }) => [...sent]));
  const files = new Map(writers.flatMap(({ uploaded }) => [...uploaded]));

  await expect.poll(() => heard.length).toBe(all.size);
  expect(registrations).toBe(1);
  await site.stop();
  await restoreBackup(backup, restored, { endSessions: false });

  // Each message equals the sent text, and each file that a message names equals the upload.
  const rows = rowsOf(join(restored, 'chat/chat.db'));
  const messages = (rows['message'] ?? []).map((row): { id: number; content: string } => JSON.parse(row));
  const kept = new Map(messages.filter(({ id }) => all.has(id)).map(({ id, content }) => [id, content]));
  for (const [id, content] of kept) expect(content).toBe(all.get(id));
  expect(kept.size).toBeLessThan(all.size);
  for (const { sent } of before) for (const [id, content] of sent) expect(kept.get(id)).toBe(content);
  const places = new Map(
    (rowsOf(join(restored, 'engawa.db'))['file'] ?? []).map((row) => {
      const { stored_name, place }: { stored_name: string; place: string } = JSON.parse(row);
      return [stored_name, place];
    }),
  );
  const sums = sumsOf(join(restored, 'files'));
  const named = [...kept.values()].flatMap((content) => parseFileMessage(content)?.storedName ?? []);
  expect(named.length).toBeGreaterThan(0);
  for (const name of [...named, ...before.flatMap(({ uploaded }) => [...uploaded.keys()])]) {
    expect(sums[places.get(name) ?? '']).toBe(files.get(name));
  }
  const ids = new Set(messages.map(({ id }) => id));
  const flags = (rows['message_flag'] ?? []).map((row): { message_id: number } => JSON.parse(row));
  expect(flags.filter(({ message_id }) => !ids.has(message_id))).toEqual([]);
  for (const each of fileDirectories) expect(sumsOf(join(restored, each))).toEqual(sumsOf(join(backup, each)));

  // With the restored data at the same address, the same keys work, stars remain and the listening client continues.
  await site.open(restored);
  for (const [index, { connection }] of writers.entries()) {
    for (const message_id of before[index]?.starred ?? []) {
      expect((await getMessage(connection, { message_id })).message.flags).toContain('starred');
    }
  }
  await expect.poll(() => registrations).toBe(2);
  const content = `復元のあと ${randomUUID()}`;
  const [first] = writers;
  if (!first) throw new Error('nobody wrote');
  const { id } = await sendMessage(first.connection, { type: 'stream', to: stream, topic: 'stream events', content });
  expect(id).toBe(Math.max(...ids) + 1);
  await expect.poll(() => heard.at(-1)).toBe(content);
}, 120_000);
