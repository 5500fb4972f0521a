import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ServerError, connect, fetchApiKey, getEvents, getMessages, registerQueue, sendMessage } from '@engawa/client';
import { paths } from '@engawa/protocol/product';
import { describe, expect, it, onTestFinished } from 'vitest';
import { basicAuthorization } from './chat/connections.ts';
import { examine } from './doctor/doctor.ts';
import { emailOf } from './testing/product.ts';
import { type ProcessOptions, beginProcess, builtProgram } from './testing/serverProcess.ts';

const stream = 'プロダクト開発部';

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'engawa-fault-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A running server with a member who writes and one who listens. */
async function running(dataDirectory: string, options: ProcessOptions = {}) {
  const begun = beginProcess(builtProgram, dataDirectory, {
    ...options,
    environment: { RATE_LIMIT: 'none', ...options.environment },
  });
  onTestFinished(() => begun.end('SIGKILL'));
  const address = await begun.ready;
  const signIn = async (name: string) => {
    const username = emailOf(name);
    const { api_key: apiKey } = await fetchApiKey(connect({ realm: address }), { username, password: 'demo' });
    return { connection: connect({ realm: address, username, apiKey }), authorization: basicAuthorization(username, apiKey) };
  };
  const [sato, suzuki] = [await signIn('sato'), await signIn('suzuki')];
  const { queue_id, last_event_id } = await registerQueue(suzuki.connection, { event_types: ['message'] });
  return {
    ...begun,
    address,
    send: (content: string) => sendMessage(sato.connection, { type: 'stream', to: stream, topic: 'stream events', content }),
    async newest(count: number) {
      const narrow = [{ operator: 'stream', operand: stream }];
      const asked = { anchor: 'newest', num_before: count, num_after: 0, apply_markdown: false, narrow };
      return (await getMessages(sato.connection, asked)).messages.map(({ content }) => content);
    },
    /** All events that the listening member received. */
    async heard() {
      const { events } = await getEvents(suzuki.connection, { queue_id, last_event_id, dont_block: true });
      return events.flatMap((event) => (event.type === 'message' ? [event.message.content] : []));
    },
    async upload(bytes: number) {
      const form = new FormData();
      form.append('file', new File([Buffer.alloc(bytes, '縁')], '図面.pdf'));
      form.append('dstFileName', `${Math.random().toString(36).slice(2).padEnd(20, '0').slice(0, 20)}.pdf`);
      const answer = await fetch(address + paths.upload, {
        method: 'POST',
        body: form,
        headers: { authorization: sato.authorization },
      });
      return { status: answer.status, body: await answer.json() };
    },
    health: async () => (await fetch(`${address}/healthz`)).status,
    /** The log lines of one event. */
    logged: (event: string) => eventsIn(begun.said(), event),
  };
}

function eventsIn(log: string, event: string): object[] {
  return log.split('\n').flatMap((line) => {
    const said: unknown = line.startsWith('{') ? JSON.parse(line) : {};
    return typeof said === 'object' && said !== null && 'event' in said && said.event === event ? [said] : [];
  });
}

/** The refusal of a call that fails because of the machine. */
async function refusalOf(call: Promise<unknown>): Promise<Pick<ServerError, 'status' | 'code'>> {
  const [outcome] = await Promise.allSettled([call]);
  if (outcome.status === 'fulfilled' || !(outcome.reason instanceof ServerError))
    throw new Error(`that was not refused: ${JSON.stringify(outcome)}`);
  const { status, code } = outcome.reason;
  return { status, code };
}

async function problemsIn(dataDirectory: string): Promise<readonly string[]> {
  const findings = await examine({ environment: { DATA_DIR: dataDirectory }, backups: undefined, now: Date.now() });
  return findings.flatMap(({ level, check, en }) => (level === 'problem' && check !== 'disk' ? [en] : []));
}

/** Sends until it is refused. @returns the acknowledged messages and the refusal. */
async function writeUntilRefused(send: (content: string) => Promise<unknown>) {
  const acknowledged: string[] = [];
  for (let count = 1; count < 2000; count += 1) {
    const content = `${count} ${'縁側'.repeat(1500)}`;
    const [outcome] = await Promise.allSettled([send(content)]);
    if (outcome.status === 'rejected') return { acknowledged, refusal: await refusalOf(Promise.reject(outcome.reason)) };
    acknowledged.push(content);
  }
  throw new Error('there was always room');
}

const canLimit = existsSync('/usr/bin/prlimit');

/** @param bytes the maximum length of a file of the process. */
function limitFiles({ pid }: ChildProcess, bytes: number | 'unlimited'): void {
  execFileSync('/usr/bin/prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

describe('full disk', () => {
  // The system's limit of a file's length needs no root and can be lifted while the process runs.
  it.runIf(canLimit)(
    'On a full disk the server refuses changes, keeps everything acknowledged, and recovers automatically when there is space',
    async () => {
      const dataDirectory = directory();
      const server = await running(dataDirectory);
      expect(await server.health()).toBe(200);
      limitFiles(server.child, statSync(join(dataDirectory, 'chat/chat.db-wal')).size + 200_000);
      const { acknowledged, refusal } = await writeUntilRefused(server.send);
      expect(acknowledged.length).toBeGreaterThan(2);
      // SQLite reports a full disk differently from a file that may not grow.
      expect(refusal).toEqual({ status: 503, code: 'STORAGE_FAILING' });
      await expect
        .poll(() => server.logged('storage_unwritable'))
        .toMatchObject([{ level: 'error', database: 'chat.db', reason: 'failing' }]);
      // Readers continue, and receive nothing that was not stored.
      expect(await server.newest(acknowledged.length)).toEqual(acknowledged);
      expect(await server.heard()).toEqual(acknowledged);
      limitFiles(server.child, 1000);
      expect(await server.health()).toBe(503);

      const upload = await server.upload(3_000_000);
      expect(upload).toMatchObject({ status: 503, body: { result: 'error', code: 'STORAGE_FULL', 'retry-after': 5 } });
      await expect.poll(() => server.logged('file_not_stored')).toMatchObject([{ level: 'error', reason: 'full' }]);
      expect(readdirSync(join(dataDirectory, 'files/arriving'))).toEqual([]);

      limitFiles(server.child, 'unlimited');
      await server.send('また書けます');
      expect(await server.heard()).toEqual([...acknowledged, 'また書けます']);
      await expect.poll(() => server.logged('storage_writable_again')).toMatchObject([{ level: 'warn', database: 'chat.db' }]);
      expect((await server.upload(3_000_000)).status).toBe(200);
      await expect.poll(() => server.health(), { timeout: 10_000 }).toBe(200);
      await server.end('SIGKILL');
      expect(await problemsIn(dataDirectory)).toEqual([]);
    },
    60_000,
  );
});

/** A free port below the ephemeral range, so that no other test gets it meanwhile. */
async function portBelow(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port += 1) {
    const other = createServer().listen(port, '127.0.0.1');
    const [outcome] = await Promise.allSettled([once(other, 'listening')]);
    other.close();
    if (outcome.status === 'fulfilled') return port;
  }
}

describe('log that cannot be written', () => {
  it.runIf(canLimit)(
    'The server runs on when the disk of its log is full, and reports the number of lost lines when there is space again',
    async () => {
      const path = join(directory(), 'engawa.log');
      const log = openSync(path, 'a+');
      onTestFinished(() => closeSync(log));
      // Longer than the databases become, so that the limit affects only the log.
      const emptiness = 64 * 1024 ** 2;
      truncateSync(path, emptiness);
      const logged = (event: string) => {
        const bytes = Buffer.alloc(100_000);
        return eventsIn(bytes.toString('utf8', 0, readSync(log, bytes, 0, bytes.length, emptiness)), event);
      };
      const server = await running(directory(), { errorFile: log, environment: { LOG_LEVEL: 'info' } });
      // Two sign-ins and one registration.
      await expect.poll(() => logged('call_finished')).toHaveLength(3);
      limitFiles(server.child, statSync(path).size);
      const sent = ['一', '二', '三'];
      for (const content of sent) await server.send(content);
      expect(await server.heard()).toEqual(sent);
      expect(logged('call_finished')).toHaveLength(3);
      limitFiles(server.child, 'unlimited');
      await server.send('四');
      await server.end('SIGTERM');
      expect(server.child.exitCode).toBe(0);
      // There were eight calls. The line of the last lost one may be written already, and other events may follow.
      const written = logged('call_finished').length;
      expect(logged('log_lines_lost')).toMatchObject([
        {
          level: 'warn',
          lines: expect.toSatisfy((lines) => lines >= 8 - written),
        },
      ]);
      expect(written).toBeLessThan(6);
    },
    60_000,
  );

  it('The server runs on when the reader of its log has closed the pipe', async () => {
    const server = await running(directory(), { environment: { LOG_LEVEL: 'info' } });
    server.child.stderr?.destroy();
    for (const content of ['一', '二', '三']) await server.send(content);
    expect(await server.heard()).toEqual(['一', '二', '三']);
    expect(await server.health()).toBe(200);
    await server.end('SIGTERM');
    expect(server.child.exitCode).toBe(0);
  }, 60_000);

  it('The server starts and runs when the reader of its standard output has closed the pipe', async () => {
    const port = await portBelow();
    const begun = beginProcess(builtProgram, directory(), { port });
    onTestFinished(() => begun.end('SIGKILL'));
    begun.child.stdout?.destroy();
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ status }) => status,
          () => 'closed',
        ),
      )
      .toBe(200);
    await begun.end('SIGTERM');
    expect(begun.child.exitCode).toBe(0);
  }, 60_000);
});

describe('locked database', () => {
  it('While another program locks the database, reading works, writing waits and is then refused, and the server recovers', async () => {
    const dataDirectory = directory();
    const server = await running(dataDirectory);
    const other = new DatabaseSync(join(dataDirectory, 'chat/chat.db'));
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const waiting = refusalOf(server.send('待てば届く'));
    // Readers do not wait.
    expect(await server.newest(1)).not.toEqual(['待てば届く']);
    expect(server.logged('storage_unwritable')).toEqual([]);
    expect(await waiting).toEqual({ status: 503, code: 'STORAGE_LOCKED' });
    await expect
      .poll(() => server.logged('storage_unwritable'))
      .toMatchObject([{ level: 'error', database: 'chat.db', reason: 'locked' }]);
    expect(await server.health()).toBe(503);
    const patient = server.send('少し待つ');
    expect(await server.newest(1)).not.toEqual(['少し待つ']);
    other.exec('ROLLBACK');
    await patient;
    expect(await server.heard()).toEqual(['少し待つ']);
    await expect.poll(() => server.health(), { timeout: 10_000 }).toBe(200);
    await server.end('SIGKILL');
    expect(await problemsIn(dataDirectory)).toEqual([]);
  }, 60_000);
});

/** Root may write anywhere, so the tests need another user. */
const nobody = process.getuid?.() === 0 ? 65_534 : undefined;

/** Whether another user may read the program. */
function isReadableBy(uid: number | undefined): boolean {
  if (uid === undefined) return true;
  return (
    spawnSync(process.execPath, ['-e', `require('node:fs').readFileSync(${JSON.stringify(builtProgram)})`], { uid, gid: uid })
      .status === 0
  );
}

function handOver(path: string): void {
  if (nobody === undefined) return;
  chownSync(path, nobody, nobody);
}

describe.runIf(isReadableBy(nobody))('a data folder that may only be read', () => {
  it('When the data directory is read-only, the server does not start, and reports it on one line in both languages', async () => {
    const dataDirectory = directory();
    handOver(dataDirectory);
    chmodSync(dataDirectory, 0o555);
    const begun = beginProcess(builtProgram, dataDirectory, nobody === undefined ? {} : { uid: nobody });
    await expect(begun.ready).rejects.toThrow(/起動できません: DATA_DIR .*書き込めません。 .*is not writable/);
    chmodSync(dataDirectory, 0o755);
  });

  it('When the directory of files becomes read-only, uploads are refused and messages still work, until it is writable again', async () => {
    const dataDirectory = directory();
    handOver(dataDirectory);
    const server = await running(dataDirectory, nobody === undefined ? {} : { uid: nobody });
    const arriving = join(dataDirectory, 'files/arriving');
    chmodSync(arriving, 0o555);
    expect(await server.upload(1000)).toMatchObject({ status: 503, body: { code: 'STORAGE_READ_ONLY' } });
    await expect.poll(() => server.logged('file_not_stored')).toMatchObject([{ level: 'error', reason: 'read-only' }]);
    await server.send('文字は書ける');
    expect(await server.heard()).toEqual(['文字は書ける']);
    chmodSync(arriving, 0o755);
    expect((await server.upload(1000)).status).toBe(200);
    expect(readdirSync(arriving)).toEqual([]);
    // New files cannot be created, but open databases can be written.
    chmodSync(join(dataDirectory, 'chat'), 0o555);
    await server.send('開いているものには書ける');
    expect(await server.health()).toBe(200);
    chmodSync(join(dataDirectory, 'chat'), 0o755);
    await server.end('SIGKILL');
    expect(await problemsIn(dataDirectory)).toEqual([]);
  }, 60_000);
});
