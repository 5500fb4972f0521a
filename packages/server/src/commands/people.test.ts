import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getUsers } from '@engawa/client';
import { expect, it, onTestFinished } from 'vitest';
import { founded, withPasswords } from '../testing/accounts.ts';
import { engawaIn, stillDataOf } from '../testing/commandLine.ts';
import { emptyDirectory } from '../testing/organisation.ts';
import { runProduct, runProductForFile } from '../testing/product.ts';

const product = await runProductForFile();

const engawa = (typed: readonly string[], dataDirectory = product.dataDirectory) => engawaIn(dataDirectory, typed);

const akiyama = ['user', 'create', '--email', 'akiyama@engawa.example', '--name', '秋山 楓', '--departments', 'プロダクト開発部'];

it("The commands user create and user list use the running product through a socket that only the file's owner can open", async () => {
  expect(statSync(join(product.dataDirectory, 'engawa.sock')).mode & 0o777).toBe(0o600);
  expect(await engawa(akiyama)).toMatchObject({ code: 0, warned: '', said: expect.stringContaining('秋山 楓') });
  const { said } = await engawa(['user', 'list']);
  expect(said).toMatch(/^id\temail\tname/);
  expect(said).toMatch(/\takiyama@engawa\.example\t秋山 楓\tmember\t\S+\tプロダクト開発部\t/);
  // The running product knows the new member at once.
  const { members } = await getUsers(await product.connectionOf('tanaka'), {});
  expect(members.map(({ email }) => email)).toContain('akiyama@engawa.example');
});

it.each([
  ['a second member with an email', akiyama, 1, 'already'],
  [
    'an unknown department',
    [...akiyama.slice(0, 3), 'x@engawa.example', '--name', '誰 か', '--departments', '月面部'],
    1,
    '月面部',
  ],
  ['an unknown role', [...akiyama, '--role', 'king'], 2, '--role'],
  ['no name', ['user', 'create', '--email', 'x@engawa.example'], 2, '--name'],
  ['nobody’s password', ['user', 'reset-password', 'nobody@engawa.example'], 1, 'no member'],
])('A command refuses %s in one line', async (_, typed, code, words) => {
  await engawa(akiyama);
  const refused = await engawa(typed);
  expect(refused).toMatchObject({ code, said: '' });
  expect(refused.warned).toContain(words);
  expect(refused.warned).not.toContain('\n');
});

const make = (email: string, name: string) => ['user', 'create', '--email', email, '--name', name];

it('A command that is refused prints the reason in Japanese and English', async () => {
  const file = join(emptyDirectory(), 'people.csv');
  writeFileSync(file, '');
  for (const [typed, words] of [
    [
      ['import', file],
      'できません。ファイルを表として読めません。CSV（UTF-8 または Shift_JIS）で保存し直してください。 / Refused: The file is not a text table',
    ],
    [make('c@e.jp\nBcc: x', '誰 か'), "できません。メールアドレスの形ではありません。 / Refused: Bad value for 'email'"],
    [
      make('c@e.jp', '誰\u202Eか'),
      'できません。氏名に、* ` \\ > " @ と、目に見えない文字は使えません。 / Refused: Invalid characters in name!',
    ],
    [make('c@e.jp', '誰'), 'できません。氏名は 2 文字以上にしてください。 / Refused: Name too short!'],
    [make('c@e.jp', '誰'.repeat(101)), 'できません。氏名が長すぎます。100 文字までにしてください。 / Refused: Name too long!'],
  ] as const) {
    const { code, warned } = await engawa(typed);
    expect([code, warned]).toEqual([1, expect.stringContaining(words)]);
  }
});

it('The command user create accepts a department by its path, and refuses a name that two departments have', async () => {
  const file = join(emptyDirectory(), 'departments.csv');
  writeFileSync(file, '部署\n札幌支社/営業部/第一課\n福岡支社/営業部/第一課\n');
  expect((await engawa(['import', file, '--apply'])).code).toBe(0);
  const into = (...departments: string[]) =>
    engawa([...make('path@engawa.example', '道 迷子'), '--departments', departments.join(',')]);
  const refused = await into('第一課');
  expect(refused).toMatchObject({ code: 1, said: '' });
  expect(refused.warned).toContain('福岡支社/営業部/第一課');
  expect((await into('月面支社/営業部')).warned).toContain('月面支社/営業部 という部署はありません');
  expect((await into('福岡支社／営業部/第一課', '札幌支社')).code).toBe(0);
  expect((await engawa(['user', 'list'])).said).toMatch(/道 迷子\tmember\t\S+\t第一課,札幌支社\t/);
});

it('The command user create refuses the email of an existing member, also with other letter case or spaces', async () => {
  await engawa(akiyama);
  const again = ['user', 'create', '--email', ' Akiyama@engawa.example ', '--name', '別 人', '--role', 'owner'];
  expect(await engawa(again)).toMatchObject({ code: 1, said: '', warned: expect.stringContaining('already') });
  expect((await engawa(['user', 'list'])).said).toMatch(/\takiyama@engawa\.example\t秋山 楓\tmember\t/);
});

it('The command import shows its changes, makes them only with --apply, and changes nothing if a row is invalid', async () => {
  const file = join(emptyDirectory(), 'people.csv');
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
  expect((await engawa(['import', join(emptyDirectory(), 'none.csv')])).warned).toContain('cannot be read');
});

it('A command works on the data directly when no product runs, and is refused on an empty data directory', async () => {
  const data = await stillDataOf(product.dataDirectory);
  const made = await engawa(['user', 'create', '--email', 'hitori-mio@engawa.example', '--name', '由木 澪'], data);
  expect(made).toMatchObject({ code: 0, warned: '' });
  expect((await engawa(['user', 'list'], data)).said).toContain('hitori-mio@engawa.example');
  expect((await engawa(['user', 'list'])).said).not.toContain('hitori-mio@engawa.example');
  expect(await engawa(['user', 'list'], emptyDirectory())).toMatchObject({
    code: 1,
    warned: expect.stringContaining('contains no data'),
  });
});

it('A command works on data with passwords even without AUTH_MODE, and never creates the demo organisation', async () => {
  const { product: made } = await founded();
  const data = await stillDataOf(made.dataDirectory);
  const created = await engawa(['user', 'create', '--email', 'mori@niwa.example', '--name', '森 葉'], data);
  expect(created).toMatchObject({ code: 0, warned: '' });
  expect(created.said).toMatch(/（\d{4}年\d{1,2}月\d{1,2}日 \d\d:\d\d \S+ まで）.* until \d{1,2} [A-Z][a-z]+ \d{4}/);
  expect(created.said).toMatch(/^http:\/\/\S+#\S+$/m);
  expect((await engawa(['user', 'list'], data)).said.split('\n')).toHaveLength(3);

  const empty = await runProduct(withPasswords);
  onTestFinished(() => empty.close());
  const nobody = await stillDataOf(empty.dataDirectory);
  for (let times = 0; times < 2; times += 1) {
    const refused = await engawa(['user', 'list'], nobody);
    expect(refused).toMatchObject({ code: 1, said: '', warned: expect.stringContaining('no organisation yet') });
  }
});
