import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Database } from '@engawa/chat-server/database';
import { sendMessage } from '@engawa/client';
import { getStreamId } from '@engawa/protocol';
import { hookPaths, hookSecrets } from '@engawa/protocol/hooks';
import { outgoingHookPaths as outgoing, outgoingHookSecrets } from '@engawa/protocol/outgoing-hooks';
import { paths } from '@engawa/protocol/product';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOneTimeLinks } from '../accounts/oneTimeLinks.ts';
import { configurationOf } from '../configuration.ts';
import { migrations } from '../database/migrations.ts';
import { outgoingHooks } from '../hooks/outgoing/store.ts';
import { listen } from '../app.ts';
import { createProduct } from '../product.ts';
import { administrator } from '../testing/outgoingHooks.ts';
import { rowsOf, sumsOf } from '../testing/contents.ts';
import { emailOf, runProductForFile } from '../testing/product.ts';
import { makeBackup } from './backup.ts';
import { fileDirectories } from '../storage/layout.ts';
import { restoreBackup } from './restore.ts';

const product = await runProductForFile({ RATE_LIMIT: 'none' });

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-backup-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function freshBackup(): Promise<string> {
  const target = join(folder(), 'backup');
  await makeBackup(product.dataDirectory, target, 'copy');
  return target;
}

async function runIn(dataDirectory: string) {
  const configuration = { ...configurationOf({ RATE_LIMIT: 'none', DATA_DIR: dataDirectory }), port: 0 };
  const app = await createProduct(configuration, { screens: folder(), log: () => undefined });
  onTestFinished(() => app.close());
  return { app, address: await listen(app, configuration) };
}

const keepSessions = { endSessions: false };
const withoutEpoch = (rows: readonly string[] = []) => rows.map((row) => row.replace(/"epoch":"[^"]+"/, ''));
const linksIn = (directory: string) => rowsOf(join(directory, 'engawa.db'))['one_time_link'];
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('backup', () => {
  it('A backup contains every row and every file, but not the search index', async () => {
    const target = await freshBackup();
    expect(readdirSync(target).toSorted()).toEqual([
      'avatars',
      'chat',
      'emoji',
      'engawa.db',
      'files',
      'manifest.json',
      'stream-pictures',
    ]);
    expect(readdirSync(join(target, 'chat'))).toEqual(['chat.db']);
    for (const file of ['engawa.db', 'chat/chat.db']) {
      expect(rowsOf(join(target, file))).toEqual(rowsOf(join(product.dataDirectory, file)));
    }
    expect(Object.keys(sumsOf(join(target, 'files'))).length).toBeGreaterThan(0);
    for (const each of fileDirectories) {
      expect(sumsOf(join(target, each))).toEqual(sumsOf(join(product.dataDirectory, each)));
    }
  });

  it('All files and directories of a backup can be read only by the system user who made it', async () => {
    const target = await freshBackup();
    expect([target, join(target, 'chat'), join(target, 'files')].map(modeOf)).toEqual(['700', '700', '700']);
    const [file = ''] = readdirSync(join(target, 'files'));
    const files = ['engawa.db', 'chat/chat.db', 'manifest.json', `files/${file}`];
    expect(files.map((each) => modeOf(join(target, each)))).toEqual(['600', '600', '600', '600']);
  });

  it('A backup into a directory that is not empty is refused, and the files there stay unchanged', async () => {
    const target = folder();
    writeFileSync(join(target, 'mine'), 'x');
    await expect(makeBackup(product.dataDirectory, target, 'copy')).rejects.toThrow(/空ではありません.*is not empty/);
    expect(readdirSync(target)).toEqual(['mine']);
  });

  it('A failed backup leaves no files in the target directory', async () => {
    const [source, target] = [folder(), join(folder(), 'backup')];
    writeFileSync(join(source, 'engawa.db'), 'this is no database');
    await expect(makeBackup(source, target, 'copy')).rejects.toThrow(/作れませんでした.*could not be made/);
    expect(existsSync(target)).toBe(false);
    await expect(makeBackup(folder(), target, 'copy')).rejects.toThrow(/contains no data/);
  });

  it('A backup contains all existing files and lists the missing ones in its manifest', async () => {
    const source = join(folder(), 'data');
    await restoreBackup(await freshBackup(), source, keepSessions);
    const [lost = '', ...others] = readdirSync(join(source, 'files')).filter((name) => name.includes('-'));
    rmSync(join(source, 'files', lost));
    const target = join(folder(), 'backup');
    const manifest = await makeBackup(source, target, 'copy');
    expect(manifest.lost).toEqual([`files/${lost}`]);
    expect(readdirSync(join(target, 'files')).toSorted()).toEqual(others.toSorted());
    await restoreBackup(target, join(folder(), 'data'), keepSessions);
  });
});

describe('restore', () => {
  it('A restore brings back every row and every file, but no event queues of clients', async () => {
    const [backup, target] = [await freshBackup(), join(folder(), 'data')];
    await restoreBackup(backup, target, keepSessions);
    expect(readdirSync(target).toSorted()).toEqual(['avatars', 'chat', 'emoji', 'engawa.db', 'files', 'stream-pictures']);
    expect(rowsOf(join(target, 'engawa.db'))).toEqual(rowsOf(join(backup, 'engawa.db')));
    const { queue, realm, ...rest } = rowsOf(join(target, 'chat/chat.db'));
    const { queue: _, realm: before, ...restBefore } = rowsOf(join(backup, 'chat/chat.db'));
    expect(rest).toEqual(restBefore);
    expect(queue).toEqual([]);
    expect(withoutEpoch(realm)).toEqual(withoutEpoch(before));
    expect(realm).not.toEqual(before);
    for (const each of fileDirectories) expect(sumsOf(join(target, each))).toEqual(sumsOf(join(backup, each)));
    expect([target, join(target, 'files')].map(modeOf)).toEqual(['700', '700']);
  });

  it('After a restore, sessions and API keys are still valid, and a search finds the restored messages', async () => {
    const tanaka = await product.connectionOf('tanaka');
    const content = `復元のあとで探す ${randomUUID()}`;
    const { id } = await sendMessage(tanaka, { type: 'stream', to: 'プロダクト開発部', topic: 'stream events', content });
    const cookie = await product.cookieOf('sato');
    const target = join(folder(), 'data');
    await restoreBackup(await freshBackup(), target, keepSessions);
    const { app } = await runIn(target);
    const session = await app.inject({ url: paths.session, headers: { host: 'localhost', cookie } });
    expect(session.json()).toMatchObject({ member: { email: emailOf('sato') } });

    const narrow = JSON.stringify([{ operator: 'search', operand: content }]);
    const query = { anchor: 'newest', num_before: '5', num_after: '0', narrow };
    const found = await app.inject({
      url: '/api/v1/messages',
      query,
      headers: { host: 'localhost', authorization: await product.basicOf('tanaka') },
    });
    expect(found.json().messages.map((message: { id: number }) => message.id)).toEqual([id]);
  });

  it('A restore ends all sessions and API keys if the operator requests it', async () => {
    const cookie = await product.cookieOf('suzuki');
    const target = join(folder(), 'data');
    await restoreBackup(await freshBackup(), target, { endSessions: true });
    const { app } = await runIn(target);
    const session = await app.inject({ url: paths.session, headers: { host: 'localhost', cookie } });
    expect(session.json()).toMatchObject({ member: null });
    const authorization = await product.basicOf('suzuki');
    const answer = await app.inject({ url: '/api/v1/users/me', headers: { host: 'localhost', authorization } });
    expect(answer.statusCode).toBe(401);
  });

  it('A restore that ends sessions also ends one-time links, because a link used since the backup would be valid again', async () => {
    const database = new Database(join(product.dataDirectory, 'engawa.db'), { migrations });
    const links = createOneTimeLinks(database, Date.now);
    const terms = { userId: 1, email: emailOf('tanaka'), deactivations: 0 };
    await links.create({ kind: 'password', purpose: '1', terms, madeBy: null });
    database.close();
    const backup = await freshBackup();
    const [kept, ended] = [join(folder(), 'kept'), join(folder(), 'ended')];
    await restoreBackup(backup, kept, keepSessions);
    await restoreBackup(backup, ended, { endSessions: true });
    expect([linksIn(kept)?.length, linksIn(ended)?.length ?? 0]).toEqual([1, 0]);
  });

  it('A restore that ends sessions also ends the addresses of hooks, because a renewed one would be valid again', async () => {
    const authorization = await product.basicOf('tanaka');
    const headers = { host: 'localhost', authorization };
    const { stream_id } = await product.call('tanaka', getStreamId, { stream: 'プロダクト開発部' });
    const json = { name: '復元の係', stream_id, topic: '通知' };
    const made = await product.app.inject({ method: 'POST', url: hookPaths.hooks, headers, payload: json });
    const { pathname } = new URL(hookSecrets.parse(made.json()).address);
    const backup = await freshBackup();
    for (const [endSessions, status] of [
      [false, 200],
      [true, 404],
    ] as const) {
      const target = join(folder(), 'data');
      await restoreBackup(backup, target, { endSessions });
      const { app } = await runIn(target);
      const answer = await app.inject({ method: 'POST', url: pathname, headers: { host: 'localhost' }, payload: { text: 'x' } });
      expect([endSessions, answer.statusCode]).toEqual([endSessions, status]);
    }
  });

  it('After a restore that ends sessions, an outgoing hook is off until its owner renews the secret', async () => {
    const authorization = await product.basicOf(administrator);
    const headers = { host: 'localhost', authorization };
    const to = 'https://hooks.example.com';
    const made = [];
    await product.app.inject({ method: 'POST', url: outgoing.origins, headers, payload: { origin: to } });
    for (const name of ['送信の係', '止めた係']) {
      const payload = { name, address: `${to}/in` };
      const answer = await product.app.inject({ method: 'POST', url: outgoing.hooks, headers, payload });
      made.push(outgoingHookSecrets.parse(answer.json()));
    }
    const [hook, stopped] = made;
    if (!hook || !stopped) throw new TypeError();
    const database = new Database(join(product.dataDirectory, 'engawa.db'), { migrations });
    await database.write((tx) => outgoingHooks.turnOff(tx, stopped.hook.id, 'administrator'));
    database.close();
    const backup = await freshBackup();
    const offIn = async (endSessions: boolean) => {
      const target = join(folder(), 'data');
      await restoreBackup(backup, target, { endSessions });
      const restored = new Database(join(target, 'engawa.db'), { migrations });
      onTestFinished(() => restored.close());
      return [hook, stopped].map(({ hook: { id } }) => {
        const row = outgoingHooks.of(restored.reader, id);
        return [row?.off, row?.owner_id === hook.hook.owner_id];
      });
    };
    expect(await offIn(false)).toEqual([
      [null, true],
      ['administrator', true],
    ]);
    // Without an owner, no call turns them on before `renew`.
    expect(await offIn(true)).toEqual([
      ['owner_changed', false],
      ['administrator', false],
    ]);
  });

  it.each([
    ['a byte of a database changed', (backup: string) => corrupt(join(backup, 'chat/chat.db')), 'chat/chat.db'],
    [
      'a file is missing',
      (backup: string) => rmSync(join(backup, 'files', readdirSync(join(backup, 'files'))[0] ?? '')),
      'files/',
    ],
    [
      'a file is longer',
      (backup: string) => appendFileSync(join(backup, 'files', readdirSync(join(backup, 'files'))[0] ?? ''), 'x'),
      'files/',
    ],
    ['it is unfinished', (backup: string) => rmSync(join(backup, 'manifest.json')), 'no manifest.json'],
    [
      'its manifest is truncated',
      (backup: string) => writeFileSync(join(backup, 'manifest.json'), '{"format":1,'),
      'manifest.json',
    ],
    ['its manifest names a path outside the backup', (backup: string) => rename(backup, 'files/', '../files/'), 'manifest.json'],
    ['a newer version made it', (backup: string) => changeManifest(backup, /"version": \d+/, '"version": 999'), 'newer version'],
  ])('A restore is refused and writes nothing when %s', async (_, damage, words) => {
    const [backup, target] = [await freshBackup(), join(folder(), 'data')];
    damage(backup);
    await expect(restoreBackup(backup, target, keepSessions)).rejects.toThrow(words);
    expect(existsSync(target)).toBe(false);
  });

  it('A restore into the directory of a running Engawa, or into another directory that is not empty, is refused', async () => {
    const backup = await freshBackup();
    await expect(restoreBackup(backup, product.dataDirectory, keepSessions)).rejects.toThrow(/A running Engawa/);
    const target = folder();
    writeFileSync(join(target, 'mine'), 'x');
    await expect(restoreBackup(backup, target, keepSessions)).rejects.toThrow(/is not empty/);
    expect(readdirSync(target)).toEqual(['mine']);
  });

  it('After an interrupted restore, the server refuses to start on the partial data', async () => {
    const target = folder();
    mkdirSync(join(target, 'restoring'));
    await expect(runIn(target)).rejects.toThrow(/復元が途中で止まっています.*was interrupted/);
    await expect(restoreBackup(await freshBackup(), target, keepSessions)).rejects.toThrow(/is not empty/);
  });
});

function corrupt(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 100] = (bytes.at(-100) ?? 0) ^ 1;
  chmodSync(path, 0o600);
  writeFileSync(path, bytes);
}

const rename = (backup: string, from: string, to: string) => changeManifest(backup, from, to);

function changeManifest(backup: string, from: string | RegExp, to: string): void {
  const path = join(backup, 'manifest.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

it("SQLite's integrity check finds no error in the databases of a backup", async () => {
  const target = await freshBackup();
  for (const file of ['engawa.db', 'chat/chat.db']) {
    const database = new DatabaseSync(join(target, file), { readOnly: true });
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    database.close();
  }
});
