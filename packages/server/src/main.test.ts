import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, fetchApiKey } from '@engawa/client';
import { getEvents, registerQueue } from '@engawa/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { waitingPoll } from './testing/waitingPoll.ts';

const directory = mkdtempSync(join(tmpdir(), 'engawa-'));
afterAll(() => rmSync(directory, { recursive: true }));

function run(environment: Record<string, string>, options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, DATA_DIR: join(directory, 'data'), ...environment },
  });
  const output = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.error += text;
  });
  const ended = once(child, 'close').then(([code]) => Number(code));
  return { child, output, ended };
}

const arriving = (): string[] => readdirSync(join(directory, 'data', 'files', 'arriving'));

async function addressOf({ output }: ReturnType<typeof run>): Promise<string> {
  await expect.poll(() => output.out).toContain('\nEngawa is open');
  return /http:\/\/127\.0\.0\.1:\d+/.exec(output.out)?.[0] ?? '';
}

async function signIn(realm: string) {
  const username = 'tanaka@engawa.example';
  const { api_key: apiKey } = await fetchApiKey(connect({ realm }), { username, password: 'demo' });
  return connect({ realm, username, apiKey });
}

describe('refused start', () => {
  it.each([
    ['a wrong setting', { PORT: 'abc' }, 2, /PORT="abc".*0 から 65535.*a whole number from 0 to 65535/],
    ['[R1.6] fake sign-in beyond loopback', { HOST: '0.0.0.0' }, 2, /HOST="0.0.0.0".*FAKE_AUTH_BEYOND_LOOPBACK=yes/],
    ['a missing certificate', { TLS_CERT: '/nowhere/c.pem', TLS_KEY: '/nowhere/k.pem' }, 1, /TLS_CERT.*c\.pem/],
    ['a data directory that is a file', { DATA_DIR: join(directory, 'file') }, 1, /DATA_DIR.*file/],
  ])('A server that cannot start prints the reason on one line: %s', async (_, environment, expected, line) => {
    writeFileSync(join(directory, 'file'), '');
    const { output, ended } = run(environment);
    expect(await ended).toBe(expected);
    expect(output.error).toMatch(line);
    expect(output.error.trim().split('\n')).toHaveLength(1);
    expect(output.out).toBe('');
  });

  it('A server that cannot start prints the reason on one line: a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { output, ended } = run({ PORT: port });
    expect(await ended).toBe(1);
    expect(output.error).toMatch(/PORT.*EADDRINUSE/);
    expect(output.error.trim().split('\n')).toHaveLength(1);
    other.close();
  });
});

describe('start', () => {
  it('[R1.5] The server prints its address and the default member when it starts, and answers waiting polls on SIGTERM', async () => {
    const started = run({ PORT: '0' });
    const { child, output, ended } = started;
    const connection = await signIn(await addressOf(started));
    expect(output.out).toContain('田中 翔 (tanaka@engawa.example)');
    const { queue_id, last_event_id } = await connection.call(registerQueue, { event_types: ['message'] });
    const poll = await waitingPoll(() => connection.call(getEvents, { queue_id, last_event_id }));
    child.kill('SIGTERM');
    expect((await poll.answer).events).toEqual([]);
    expect(await ended).toBe(0);
    expect(output.error).toBe('');
  });

  it('[R1.5] A new server with passwords prints the setup code in both languages and does not store it in a file', async () => {
    const data = join(directory, 'passwords');
    const started = run({ PORT: '0', AUTH_MODE: 'password', DATA_DIR: data });
    await addressOf(started);
    await expect.poll(() => started.output.out).toMatch(/setup code .*\n$/);
    const [, ja, en] = /セットアップコードで.*: (\S+)\n.*setup code.*: (\S+)\n/.exec(started.output.out) ?? [];
    expect(ja).toMatch(/^(\w{4}-){3}\w{4}$/);
    expect(en).toBe(ja);
    expect(started.output.out).not.toContain('tanaka');
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(started.output.error).toBe('');
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const kept = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')).join('');
    expect(kept.length).toBeGreaterThan(1000);
    for (const code of [ja, ja?.replaceAll('-', '')]) expect(kept).not.toContain(code);
  });

  it('The server ends without waiting for open calls when it receives a second signal', async () => {
    const started = run({ PORT: '0' });
    const realm = await addressOf(started);
    const { username, apiKey } = await signIn(realm);
    const socket = connectSocket(Number(new URL(realm).port), '127.0.0.1').on('error', () => undefined);
    socket.write(
      'POST /api/api/upload/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n' +
        `Authorization: Basic ${btoa(`${username}:${apiKey}`)}\r\n` +
        'Content-Type: multipart/form-data; boundary=edge\r\n\r\n' +
        '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf',
    );
    await expect.poll(arriving).toHaveLength(1);
    started.child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(realm).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    expect(started.child.exitCode).toBeNull();
    started.child.kill('SIGINT');
    expect(await started.ended).toBe(1);
  });

  it('A second server on the same data directory is refused, and the running one is not affected', async () => {
    const first = run({ PORT: '0' });
    const realm = await addressOf(first);
    const { username, apiKey } = await signIn(realm);
    const socket = connectSocket(Number(new URL(realm).port), '127.0.0.1');
    socket.write(
      'POST /api/api/upload/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n' +
        `Authorization: Basic ${btoa(`${username}:${apiKey}`)}\r\n` +
        'Content-Type: multipart/form-data; boundary=edge\r\n\r\n' +
        '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf',
    );
    await expect.poll(arriving).toHaveLength(1);

    const second = run({ PORT: '0' });
    expect(await second.ended).toBe(1);
    expect(second.output.error).toMatch(/^起動できません: DATA_DIR .*data .* \/ Cannot start: .* DATA_DIR, .*data\.\n$/);
    expect(second.output.out).toBe('');
    expect(arriving()).toHaveLength(1);

    socket.destroy();
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
  });

  it.each(['engawa.db', 'chat.db'])(
    'The server reports an error while it closes the database %s, and ends with exit code 1',
    async (file) => {
      const broken = `import { DatabaseSync } from 'node:sqlite';
      const { close } = DatabaseSync.prototype;
      let isStopping = false;
      process.on('SIGTERM', () => { isStopping = true; });
      DatabaseSync.prototype.close = function () {
        if (isStopping && this.location().endsWith('${file}')) throw new Error('the disk is gone');
        close.call(this);
      };`;
      const started = run({ PORT: '0' }, ['--import', `data:text/javascript,${encodeURIComponent(broken)}`]);
      await addressOf(started);
      started.child.kill('SIGTERM');
      expect(await started.ended).toBe(1);
      expect(started.output.error).toBe(
        '正常に終了できませんでした。 / Engawa could not shut down cleanly (the disk is gone).\n',
      );
    },
  );
});
