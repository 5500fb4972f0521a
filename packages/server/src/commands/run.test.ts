import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeBackup } from '../backup/backup.ts';
import { founded } from '../testing/accounts.ts';
import { engawaIn, stillDataOf } from '../testing/commandLine.ts';
import { emptyDirectory } from '../testing/organisation.ts';
import { runProductForFile } from '../testing/product.ts';
import { commands } from './run.ts';

const product = await runProductForFile();

const engawa = (typed: readonly string[], environment?: Record<string, string>) =>
  engawaIn(product.dataDirectory, typed, environment);
const stillData = () => stillDataOf(product.dataDirectory);

describe('engawa', () => {
  it('The help of engawa describes all commands, or one of them, Japanese first', async () => {
    const all = await engawa(['--help']);
    expect(all).toMatchObject({ code: 0, warned: '' });
    for (const { name, summary } of commands) {
      expect(all.said).toContain(name);
      const one = await engawa([...name.split(' '), '--help']);
      expect(one).toMatchObject({ code: 0, warned: '' });
      expect(one.said.indexOf(summary.ja)).toBe(0);
      expect(one.said).toContain(summary.en);
      expect(one.said).toContain(`engawa ${name}`);
    }
  });

  it.each([
    [[], 'Specify a command'],
    [['frobnicate'], 'no such command'],
    [['backup'], 'engawa backup --help'],
    [['backup', 'a', 'b'], 'unexpected: b'],
    [['backup', '--fast', 'a'], '--fast'],
    [['restore', '--into'], 'engawa restore --help'],
    [['doctor', 'now'], 'engawa doctor --help'],
  ])('A command exits with 2 and one line for wrong usage: %j', async (typed, words) => {
    const { code, said, warned } = await engawa(typed);
    expect([code, said]).toEqual([2, '']);
    expect(warned).toContain(words);
    expect(warned).not.toContain('\n');
  });

  it('A command with an invalid environment variable names it and exits with 2', async () => {
    const { code, warned } = await engawa(['backup', join(emptyDirectory(), 'b')], { PORT: 'x' });
    expect([code, warned]).toEqual([2, expect.stringContaining('PORT="x"')]);
  });
});

describe('engawa backup and restore', () => {
  it('The commands backup and restore print a summary, and a backup can be made while the product runs', async () => {
    const [backup, target] = [join(emptyDirectory(), '2026-04-01'), join(emptyDirectory(), 'data')];
    const made = await engawa(['backup', backup]);
    expect(made).toMatchObject({ code: 0, warned: '' });
    expect(made.said).toMatch(/^バックアップを作りました: .*メッセージ \d{2,} 件、ファイル \d+ 個/);
    const restored = await engawa(['restore', backup, '--into', target]);
    expect(restored).toMatchObject({ code: 0, warned: '' });
    expect(readdirSync(target)).toContain('chat');
    expect((await engawa(['restore', backup])).warned).toContain('A running Engawa');
  });

  it('The command restore refuses a target directory inside the backup', async () => {
    const backup = join(emptyDirectory(), 'backup');
    await engawa(['backup', backup]);
    const before = readdirSync(backup);
    for (const inside of [backup, join(backup, 'inner')]) {
      const { code, warned } = await engawa(['restore', backup, '--into', inside]);
      expect([code, warned]).toEqual([1, expect.stringContaining('is inside the backup')]);
    }
    expect(readdirSync(backup)).toEqual(before);
    expect((await engawa(['restore', backup, '--into', `${backup} and more`])).code).toBe(0);
  });

  it('The commands backup and restore print one line and exit with 1 when they fail', async () => {
    for (const typed of [
      ['backup', emptyDirectory()],
      ['restore', emptyDirectory()],
      ['restore', join(emptyDirectory(), 'nowhere')],
    ]) {
      writeFileSync(join(typed[1] ?? '', '..', 'x'), '');
      const { code, said, warned } = await engawa(typed, { DATA_DIR: emptyDirectory() });
      expect([code, said]).toEqual([1, '']);
      expect(warned).toMatch(/^[^\n]+ \/ [^\n]+$/);
    }
    const inside = await engawa(['backup', join(product.dataDirectory, 'backup')]);
    expect([inside.code, existsSync(join(product.dataDirectory, 'backup'))]).toEqual([2, false]);
  });
});

const report = z.object({
  ok: z.boolean(),
  findings: z.array(z.object({ check: z.string(), level: z.enum(['ok', 'warning', 'problem']), ja: z.string(), en: z.string() })),
});

async function doctor(environment: Record<string, string> = {}, options: readonly string[] = []) {
  const { code, said } = await engawa(['doctor', '--json', ...options], environment);
  const { ok, findings } = report.parse(JSON.parse(said));
  expect(code).toBe(ok ? 0 : 1);
  return { code, found: (check: string) => findings.filter((each) => each.check === check && each.level !== 'ok') };
}

describe('engawa doctor', () => {
  it('The command doctor reports no problem for a running product, as text and as JSON', async () => {
    chmodSync(product.dataDirectory, 0o700);
    const { code, said } = await engawa(['doctor']);
    expect(code).toBe(0);
    const lines = said.split('\n');
    expect(lines.filter((line) => !/^[✓⚠] .+ \/ .+$/.test(line))).toEqual([]);
    for (const words of [
      'engawa.db は壊れていません',
      'chat/chat.db は壊れていません',
      '縁側が動いています',
      'ディスクの空き',
      '時計は',
      'がそろっています',
      '途中の変更はありません',
    ]) {
      expect(said).toContain(words);
    }
    const asJson = await doctor();
    expect(asJson.code).toBe(0);
  });

  it.each<[string, string, (data: string) => void, RegExp]>([
    ['a damaged database', 'database', (data) => truncateSync(join(data, 'chat/chat.db'), 40_000), /chat\/chat\.db/],
    [
      'a row with a broken reference',
      'database',
      (data) => change(data, 'chat/chat.db', 'PRAGMA foreign_keys = OFF; DELETE FROM conversation'),
      /foreign key/,
    ],
    ['a missing database', 'database', (data) => rmSync(join(data, 'engawa.db')), /engawa\.db is missing/],
    ['data of a newer version', 'version', (data) => change(data, 'engawa.db', 'PRAGMA user_version = 999'), /999/],
    ['a missing file', 'files', (data) => rmSync(join(data, aFile(data))), /missing/],
    ['a truncated file', 'files', (data) => truncateSync(join(data, aFile(data)), 1), /wrong size/],
    [
      'a clock that was set back',
      'clock',
      (data) => change(data, 'chat/chat.db', 'UPDATE message SET timestamp = 4102444800'),
      /2100-01-01/,
    ],
    ['an interrupted restore', 'unfinished', (data) => mkdirSync(join(data, 'restoring')), /restore/],
  ])('The command doctor reports %s, and exits with 1', async (_, check, damage, words) => {
    const data = await stillData();
    damage(data);
    const { code, found } = await doctor({ DATA_DIR: data });
    expect(code).toBe(1);
    expect(found(check)).toEqual([expect.objectContaining({ level: 'problem', en: expect.stringMatching(words) })]);
  });

  it('The command doctor warns before a problem occurs', async () => {
    const data = await stillData();
    chmodSync(data, 0o755);
    change(data, 'engawa.db', 'UPDATE seeding SET finished = 0');
    const { code, found } = await doctor({ DATA_DIR: data, HOST: '0.0.0.0', FAKE_AUTH_BEYOND_LOOPBACK: 'yes' });
    expect(code).toBe(0);
    expect(found('permissions')).toMatchObject([{ level: 'warning', en: expect.stringContaining('755') }]);
    expect(found('unfinished')).toMatchObject([{ level: 'warning' }]);
    expect(found('configuration')).toMatchObject([{ level: 'warning', en: expect.stringContaining('without a password') }]);
  });

  it('The command doctor warns that links do not open on other machines without PUBLIC_URL, and requires it for mails', async () => {
    const data = await stillData();
    const open = { DATA_DIR: data, AUTH_MODE: 'password', INSECURE_HTTP: 'yes', HOST: '0.0.0.0', PORT: '8080' };
    const { found } = await doctor(open);
    expect(found('links')).toMatchObject([{ level: 'warning', en: expect.stringContaining('begin with http://127.0.0.1:8080') }]);
    const complete = await doctor({ ...open, PUBLIC_URL: 'http://chat.example.com' });
    expect(complete.found('links')).toEqual([]);
    const mail = await doctor({ ...open, SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'chat@example.com' });
    expect(mail.found('configuration')).toMatchObject([
      { level: 'problem', en: expect.stringContaining('required with SMTP_URL') },
    ]);
  });

  it('The command doctor names an invalid setting and checks the data all the same', async () => {
    const data = await stillData();
    const { code, found } = await doctor({
      DATA_DIR: data,
      PORT: 'x',
      TLS_CERT: join(data, 'none.pem'),
      TLS_KEY: join(data, 'none.key'),
    });
    expect(code).toBe(1);
    expect(found('configuration')).toMatchObject([{ level: 'problem', en: expect.stringContaining('PORT="x"') }]);
    expect(found('tls')).toMatchObject([{ level: 'problem' }]);
    expect(found('database')).toEqual([]);
  });

  it('The command doctor reports that the product would not start, if the data was created with the other AUTH_MODE', async () => {
    const { product: made } = await founded();
    const { code, found } = await doctor({ DATA_DIR: made.dataDirectory });
    expect(code).toBe(1);
    expect(found('configuration')).toMatchObject([{ level: 'problem', en: expect.stringContaining('AUTH_MODE=password') }]);
    expect((await doctor({ DATA_DIR: made.dataDirectory, AUTH_MODE: 'password' })).found('configuration')).toEqual([]);
    const demo = await doctor({ AUTH_MODE: 'password' });
    expect(demo.found('configuration')).toMatchObject([{ level: 'problem', en: expect.stringContaining('demo') }]);
  });

  it('The command doctor reports whether a directory contains a recent backup, if the operator names one', async () => {
    const backups = emptyDirectory();
    expect((await doctor({}, ['--backups', backups])).found('backups')).toMatchObject([{ level: 'problem' }]);
    await makeBackup(product.dataDirectory, join(backups, 'today'), 'copy');
    expect((await doctor({}, ['--backups', backups])).found('backups')).toEqual([]);
    mkdirSync(join(backups, 'cut off'));
    expect((await doctor({}, ['--backups', backups])).found('backups')).toMatchObject([
      { level: 'warning', en: expect.stringContaining('unfinished') },
    ]);
  });
});

function change(data: string, file: string, sql: string): void {
  const database = new DatabaseSync(join(data, file));
  database.exec(sql);
  database.close();
}

function aFile(data: string): string {
  const name = readdirSync(join(data, 'files')).find((each) => each.includes('-'));
  if (name === undefined) throw new Error('there is no file');
  return join('files', name);
}
