import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { composeFileMessage, parseFileMessage, sendMessage } from '@engawa/protocol';
import { chatPaths } from '@engawa/protocol/uploads';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { png } from '../demo/documents/png.ts';

import { engawaIn, stillDataOf } from '../testing/commandLine.ts';
import { emptyDirectory } from '../testing/organisation.ts';
import { emailOf, runProductForFile } from '../testing/product.ts';
import { unpacked } from '../testing/zulipArchive.ts';
import { writeZulipArchive } from './zulipArchive.ts';

const product = await runProductForFile();

const engawa = (typed: readonly string[], dataDirectory = product.dataDirectory) => engawaIn(dataDirectory, typed);
const stillData = () => stillDataOf(product.dataDirectory);

interface StoredFile {
  readonly stored_name: string;
  readonly place: string;
  readonly name: string;
  readonly size: number;
}

function filesIn(data: string): StoredFile[] {
  const database = new DatabaseSync(join(data, 'engawa.db'), { readOnly: true });
  const rows = database.prepare('SELECT stored_name, place, name, size FROM file ORDER BY stored_name').all();
  database.close();
  return rows.map((row) => ({
    stored_name: String(row['stored_name']),
    place: String(row['place']),
    name: String(row['name']),
    size: Number(row['size']),
  }));
}

function change(data: string, file: string, sql: string): void {
  const database = new DatabaseSync(join(data, file));
  database.exec(sql);
  database.close();
}

it('[R7.8] The command export writes the data of a running product, and its file messages become links to uploads', async () => {
  const file = join(emptyDirectory(), 'zulip.tar.gz');
  const { code, said, warned } = await engawa(['export', '--zulip', file]);
  expect([code, warned]).toEqual([0, '']);
  expect(said).toMatch(/^書き出しました: \S+ .*Written to \S+, as of 20/);
  const { organisation, paths, read } = unpacked(file);
  const stored = filesIn(product.dataDirectory);
  expect(stored.length).toBeGreaterThan(5);
  expect(organisation.attachments.map(({ file_name: name }) => name)).toEqual(stored.map(({ name }) => name));
  for (const [index, { place, name }] of stored.entries()) {
    const path = organisation.uploads[index]?.path ?? '';
    expect(paths).toContain(`uploads/${path}`);
    expect(read(`uploads/${path}`).equals(readFileSync(join(product.dataDirectory, 'files', place)))).toBe(true);
    const carrying = organisation.messages.filter(({ content }) => content.includes(organisation.newPaths.get(path) ?? '—'));
    expect(carrying.map(({ content }) => content)).toEqual([`[${name}](/user_uploads/${organisation.newPaths.get(path)})`]);
    expect(carrying.map(({ oldId }) => oldId)).toEqual(organisation.attachments[index]?.messages);
    expect(carrying.map(({ sender }) => sender)).toEqual([organisation.emailOf(organisation.attachments[index]?.owner ?? 0)]);
  }
  expect(organisation.messages.filter(({ content }) => parseFileMessage(content))).toEqual([]);
  expect(organisation.messages.length).toBeGreaterThan(400);
  expect(organisation.users.size).toBe(45);
});

it('[R7.8] The export has uploaded pictures and the texts of profiles', async () => {
  const form = new FormData();
  const fields = { name: '伊藤 さくら', email: emailOf('ito'), location: '京都' };
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const picture = png(64, 64, () => [200, 0, 0]);
  form.append('image', new File([new Uint8Array(picture)], 'me.png', { type: 'image/png' }));
  const body = new Response(form);
  const saved = await product.app.inject({
    method: 'POST',
    url: '/api/profile',
    headers: {
      host: 'localhost',
      authorization: await product.basicOf('ito'),
      'content-type': body.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  expect(saved.statusCode, saved.body).toBe(200);
  const file = join(emptyDirectory(), 'zulip.tar.gz');
  await writeZulipArchive(product.dataDirectory, file);
  const { organisation, read } = unpacked(file);
  const { avatars, users, realm } = organisation;
  expect(avatars.map(({ user_profile_email: email }) => email)).toEqual([emailOf('ito')]);
  expect(read(`avatars/${avatars[0]?.path}`).subarray(0, 8).equals(picture.subarray(0, 8))).toBe(true);
  const ito = users.get(emailOf('ito'));
  expect([...users.values()].filter(({ avatar_source: source }) => source === 'U')).toEqual([ito]);
  const fieldNames = new Map(realm.zerver_customprofilefield.map(({ id, name }) => [id, name]));
  const texts = realm.zerver_customprofilefieldvalue.filter(({ user_profile }) => user_profile === ito?.id);
  expect(texts.map(({ field, value }) => [fieldNames.get(field), value])).toContainEqual(['所在地', '京都']);
});

it('The export of unchanged data has the same bytes each time, and only the operator can read it', async () => {
  const data = await stillData();
  const [one, other] = [join(emptyDirectory(), 'one.tar.gz'), join(emptyDirectory(), 'other.tar.gz')];
  for (const file of [one, other]) expect((await engawa(['export', '--zulip', file], data)).code).toBe(0);
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  expect((statSync(one).mode & 0o777).toString(8)).toBe('600');
});

it('[R7.8] The command export says in both languages what it carried over, what stays behind, and what comes next', async () => {
  const { said } = await engawa(['export', '--zulip', join(emptyDirectory(), 'zulip.tar.gz')]);
  for (const words of [
    '移したもの / carried over',
    '移らないもの / left behind',
    'パスワード',
    'passwords, API keys',
    'manage.py import',
  ]) {
    expect(said).toContain(words);
  }
  expect(said).toMatch(/^ {2}45 +メンバー.* \/ members/m);
  expect(said).toMatch(/^ {2}20 +部署 \/ departments$/m);
  expect((await engawa(['export', '--help'])).said).toMatch(/パスワードは移りません[^]*Passwords do not move/);
});

it('The export has no fields of profiles if no member has a text in them', async () => {
  const data = await stillData();
  change(data, 'engawa.db', 'DELETE FROM profile');
  const file = join(emptyDirectory(), 'zulip.tar.gz');
  await writeZulipArchive(data, file);
  expect(unpacked(file).organisation.realm.zerver_customprofilefield).toEqual([]);
});

it('The command export names a file that was lost on the disk, and the message keeps its name', async () => {
  const data = await stillData();
  const [lost] = filesIn(data);
  rmSync(join(data, 'files', lost?.place ?? ''));
  const file = join(emptyDirectory(), 'zulip.tar.gz');
  const { said } = await engawa(['export', '--zulip', file], data);
  expect(said).toMatch(/^ {2}1 +ディスクから失われていたファイル/m);
  const { organisation } = unpacked(file);
  expect(organisation.attachments.map(({ file_name: name }) => name)).not.toContain(lost?.name);
  expect(organisation.messages.filter(({ content }) => content === lost?.name)).toMatchObject([{ has: { attachment: false } }]);
});

it('A file of 2 GB, which Zulip’s import refuses, is not in the export, and the message keeps its name', async () => {
  const data = await stillData();
  const [large] = filesIn(data);
  const { stored_name: storedName = '', name = '' } = large ?? {};
  change(data, 'engawa.db', `UPDATE file SET size = ${2 ** 31} WHERE stored_name = '${storedName}'`);
  const content = composeFileMessage({ name, storedName, size: 2 ** 31 });
  change(data, 'chat/chat.db', `UPDATE message SET content = '${content}' WHERE content LIKE '%,${storedName}%'`);
  const file = join(emptyDirectory(), 'zulip.tar.gz');
  const { said } = await engawa(['export', '--zulip', file], data);
  expect(said).toMatch(/^ {2}1 +Zulip には大きすぎるファイル/m);
  const { organisation } = unpacked(file);
  expect(organisation.messages.filter((message) => message.content === name)).toMatchObject([{ has: { attachment: false } }]);
});

it.each([
  ['of another member', 'kato', 0],
  ['of their own with another size', 'hayashi', 1],
])('A member who names a file %s in a message does not share it by the export', async (_, by, more) => {
  const data = filesIn(product.dataDirectory).find(({ name }) => name.includes('移転候補'));
  const { name = '', stored_name: storedName = '', size = 0 } = data ?? {};
  const content = composeFileMessage({ name, storedName, size: size + more });
  const { id } = await product.call(by, sendMessage, { type: 'stream', to: '雑談・縁側', topic: 'x', content });
  const file = join(emptyDirectory(), 'zulip.tar.gz');
  await writeZulipArchive(product.dataDirectory, file);
  const { organisation } = unpacked(file);
  expect(organisation.messages.find(({ oldId }) => oldId === id)).toMatchObject({ content: name, has: { attachment: false } });
  expect(organisation.attachments.flatMap(({ messages }) => messages)).not.toContain(id);
});

it('The command export refuses to write over a file, and a directory without an organisation, and leaves both as they were', async () => {
  const directory = emptyDirectory();
  const file = join(directory, 'zulip.tar.gz');
  writeFileSync(file, 'mine');
  const refused = await engawa(['export', '--zulip', file]);
  expect(refused).toMatchObject({ code: 1, said: '', warned: expect.stringMatching(/はもうあります.*exists already/) });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const empty = await engawa(['export', '--zulip', join(directory, 'new.tar.gz')], emptyDirectory());
  expect(empty).toMatchObject({ code: 1, warned: expect.stringContaining('contains no organisation') });
  const nowhere = await engawa(['export', '--zulip', join(directory, 'none', 'new.tar.gz')]);
  expect(nowhere).toMatchObject({ code: 1, warned: expect.stringContaining('is not writable') });
  expect(await engawa(['export'])).toMatchObject({ code: 2, warned: expect.stringContaining('--zulip is missing') });
  expect(readdirSync(directory)).toEqual(['zulip.tar.gz']);
});

it('A failed or interrupted export leaves no files', async () => {
  const directory = emptyDirectory();
  const data = await stillData();
  const file = join(directory, 'zulip.tar.gz');
  change(data, 'chat/chat.db', "UPDATE user SET email = 'a@intranet' WHERE id = 1");
  const refused = await engawa(['export', '--zulip', file], data);
  expect(refused).toMatchObject({ code: 1, warned: expect.stringContaining('a@intranet') });
  expect(readdirSync(directory)).toEqual([]);
  const controller = new AbortController();
  const writing = writeZulipArchive(product.dataDirectory, file, controller.signal);
  controller.abort();
  await expect(writing).rejects.toThrow('could not be written');
  expect(readdirSync(directory)).toEqual([]);
});

it('[R7.8] The export has a file that was uploaded by the chat API, and the links of its sender lead to it', async () => {
  const form = new FormData();
  form.append('file', new File(['中身'], '見積書 改2.txt'));
  const uploadBody = new Response(form);
  const answer = await product.app.inject({
    method: 'POST',
    url: chatPaths.userUploads,
    headers: {
      host: 'localhost',
      authorization: await product.basicOf('hayashi'),
      'content-type': uploadBody.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await uploadBody.arrayBuffer()),
  });
  const { uri } = z.object({ uri: z.string() }).parse(answer.json());
  const write = async (by: string, content: string) =>
    (await product.call(by, sendMessage, { type: 'stream', to: '雑談・縁側', topic: 'x', content })).id;
  const decoded = decodeURIComponent(uri);
  const bare = `https://chat.example${uri}`;
  const own = await write(
    'hayashi',
    `[見積](${uri})と[同じ物](${decoded})、 ${bare}です(詳細は ${bare}を見て、後で返信) ${bare}.`,
  );
  const other = await write('kato', `[見積](${uri})`);
  const file = join(emptyDirectory(), 'zulip.tar.gz');
  await writeZulipArchive(product.dataDirectory, file);
  const { organisation, read } = unpacked(file);
  const attachment = organisation.attachments.find(({ file_name: name }) => name === '見積書 改2.txt');
  expect(attachment?.messages).toEqual([own]);
  expect(read(`uploads/${attachment?.path_id}`).toString()).toBe('中身');
  const path = `/user_uploads/${organisation.newPaths.get(attachment?.path_id ?? '')}`;
  const moved = (id: number) => organisation.messages.find(({ oldId }) => oldId === id);
  expect(moved(own)).toMatchObject({ has: { attachment: true, link: true } });
  expect(moved(own)?.content.replaceAll(path, '…')).toMatch(
    /^\[見積\]\(…\)と\[同じ物\]\(…\)、 \S*https:\/\/chat\.example…\S*です\(詳細は \S*https:\/\/chat\.example…\S*を見て、後で返信\) \S*https:\/\/chat\.example…\S*\.$/,
  );
  expect(moved(other)).toMatchObject({ content: `[見積](${uri})`, has: { attachment: false } });
});
