import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getUsers } from '@engawa/client';
import { expect, it, onTestFinished } from 'vitest';
import { makeBackup } from '../backup/backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { founded, withPasswords } from '../testing/accounts.ts';
import { runProduct, runProductForFile } from '../testing/product.ts';
import { runCommand } from './run.ts';

const product = await runProductForFile();

async function engawa(typed: readonly string[], dataDirectory = product.dataDirectory) {
  const [said, warned]: [string[], string[]] = [[], []];
  const code = await runCommand(typed, {
    environment: { DATA_DIR: dataDirectory },
    say: (line) => void said.push(line),
    warn: (line) => void warned.push(line),
  });
  return { code, said: said.join('\n'), warned: warned.join('\n') };
}

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-people-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Data that nobody uses. */
async function copyOf(dataDirectory: string): Promise<string> {
  const [backup, data] = [join(folder(), 'backup'), join(folder(), 'data')];
  await makeBackup(dataDirectory, backup, 'copy');
  await restoreBackup(backup, data, { endSessions: false });
  return data;
}

const akiyama = ['user', 'create', '--email', 'akiyama@engawa.example', '--name', '秋山 楓', '--departments', 'プロダクト開発部'];

it('[issue 7] user create and list speak to the product that runs, through a socket that only its owner opens', async () => {
  expect(statSync(join(product.dataDirectory, 'engawa.sock')).mode & 0o777).toBe(0o600);
  expect(await engawa(akiyama)).toMatchObject({ code: 0, warned: '', said: expect.stringContaining('秋山 楓') });
  const { said } = await engawa(['user', 'list']);
  expect(said).toMatch(/^id\temail\tname/);
  expect(said).toMatch(/\takiyama@engawa\.example\t秋山 楓\tmember\t\S+\tプロダクト開発部\t/);
  // The running product knows of it at once.
  const { members } = await getUsers(await product.connectionOf('tanaka'), {});
  expect(members.map(({ email }) => email)).toContain('akiyama@engawa.example');
});

it.each([
  ['a second one of an address', akiyama, 1, 'already'],
  ['a department that is not there', [...akiyama.slice(0, 3), 'x@engawa.example', '--name', '誰 か', '--departments', '月面部'], 1, '月面部'],
  ['a role that is none', [...akiyama, '--role', 'king'], 2, '--role'],
  ['no name', ['user', 'create', '--email', 'x@engawa.example'], 2, '--name'],
  ['nobody’s password', ['user', 'reset-password', 'nobody@engawa.example'], 1, 'no member'],
])('[issue 7] refuses %s in one line', async (_, typed, code, words) => {
  await engawa(akiyama);
  const refused = await engawa(typed);
  expect(refused).toMatchObject({ code, said: '' });
  expect(refused.warned).toContain(words);
  expect(refused.warned).not.toContain('\n');
});

it('[issue 7] user create changes nobody who is there, however their address is typed', async () => {
  await engawa(akiyama);
  const again = ['user', 'create', '--email', ' Akiyama@engawa.example ', '--name', '別 人', '--role', 'owner'];
  expect(await engawa(again)).toMatchObject({ code: 1, said: '', warned: expect.stringContaining('already') });
  expect((await engawa(['user', 'list'])).said).toMatch(/\takiyama@engawa\.example\t秋山 楓\tmember\t/);
});

it('[issue 7] import shows what it would do, does it with --apply, and nothing where a row is wrong', async () => {
  const file = join(folder(), 'people.csv');
  writeFileSync(file, '氏名,メールアドレス,部署\n冬木 湊,fuyuki@engawa.example,プロダクト開発部\n');
  const dry = await engawa(['import', file]);
  expect(dry).toMatchObject({ code: 0, said: expect.stringMatching(/冬木 湊[^]*--apply/) });
  expect((await engawa(['user', 'list'])).said).not.toContain('fuyuki');
  expect((await engawa(['import', file, '--apply'])).code).toBe(0);
  expect((await engawa(['user', 'list'])).said).toContain('fuyuki');
  writeFileSync(file, '氏名,メールアドレス,部署\n,broken,\n');
  const wrong = await engawa(['import', file, '--apply']);
  expect(wrong.code).toBe(1);
  expect(wrong.warned).toMatch(/2行目/);
  expect((await engawa(['import', join(folder(), 'none.csv')])).warned).toContain('cannot be read');
});

it('[issue 7] where no product runs the command opens the data itself, and an empty directory stays empty', async () => {
  const data = await copyOf(product.dataDirectory);
  const made = await engawa(['user', 'create', '--email', 'hitori-mio@engawa.example', '--name', '由木 澪'], data);
  expect(made).toMatchObject({ code: 0, warned: '' });
  expect((await engawa(['user', 'list'], data)).said).toContain('hitori-mio@engawa.example');
  expect((await engawa(['user', 'list'])).said).not.toContain('hitori-mio@engawa.example');
  expect(await engawa(['user', 'list'], folder())).toMatchObject({ code: 1, warned: expect.stringContaining('holds no data') });
});

it('[issue 7] opens data with passwords as such, though nobody says AUTH_MODE, and puts no demo where nobody is yet', async () => {
  const { product: made } = await founded();
  const data = await copyOf(made.dataDirectory);
  const created = await engawa(['user', 'create', '--email', 'mori@niwa.example', '--name', '森 葉'], data);
  expect(created).toMatchObject({ code: 0, warned: '' });
  expect(created.said).toMatch(/^http:\/\/\S+#\S+$/m);
  expect((await engawa(['user', 'list'], data)).said.split('\n')).toHaveLength(3);

  const empty = await runProduct(withPasswords);
  onTestFinished(() => empty.close());
  const nobody = await copyOf(empty.dataDirectory);
  for (let times = 0; times < 2; times += 1) {
    const refused = await engawa(['user', 'list'], nobody);
    expect(refused).toMatchObject({ code: 1, said: '', warned: expect.stringContaining('no organisation yet') });
  }
});
