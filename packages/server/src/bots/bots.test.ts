import {
  createBot,
  deactivateBot,
  getOwnUser,
  getRealmPresence,
  getUser,
  roles,
  updateBot,
  updatePresence,
} from '@engawa/protocol';
import { accountPaths } from '@engawa/protocol/accounts';
import { administeredMembers, administrationPaths } from '@engawa/protocol/administration';
import { callPaths } from '@engawa/protocol/calls';
import { livePath } from '@engawa/protocol/live';
import { botPicture, directoryPage, paths } from '@engawa/protocol/product';
import { uploadAnswer } from '@engawa/protocol/uploads';
import { expect, it } from 'vitest';
import { png } from '../demo/documents/png.ts';
import { basicAuthorization } from '../chat/connections.ts';
import { fromOwnPage, runProductForFile } from '../testing/product.ts';

const product = await runProductForFile({ RATE_LIMIT: 'none' });
const host = 'localhost';
const image = png(64, 64, () => [30, 120, 90] as const);

let made = 0;
async function botOf(owner: string) {
  made += 1;
  const name = { full_name: `警報 ${made}号`, short_name: `keihou-${made}` };
  const { user_id: id, api_key: key } = await product.call(owner, createBot, name);
  const { user } = await product.call(owner, getUser, { user_id: id });
  return { id, email: user.email, authorization: basicAuthorization(user.email, key) };
}

async function post(authorization: string, url: string, fields: Readonly<Record<string, string | File>>) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const body = new Response(form);
  const payload = Buffer.from(await body.arrayBuffer());
  const headers = { host, 'content-type': body.headers.get('content-type') ?? '', authorization };
  return product.app.inject({ method: 'POST', url, headers, payload });
}

const give = async (name: string, bot: number) =>
  post(await product.basicOf(name), `${paths.bots}${bot}/picture`, {
    image: new File([new Uint8Array(image)], 'bot.png', { type: 'image/png' }),
  });

it('The owner gives a bot a picture, which every member can load, and removes it again', async () => {
  const { id } = await botOf('tanaka');
  const given = await give('tanaka', id);
  const { avatar_url: url } = botPicture.parse(given.json());
  expect(url).toMatch(new RegExp(`^/api/avatars/${id}/`));
  expect((await product.call('sato', getUser, { user_id: id })).user.avatar_url).toBe(url);
  const headers = { host, authorization: await product.basicOf('sato') };
  const loaded = await product.app.inject({ url: url ?? '', headers });
  expect([loaded.statusCode, loaded.rawPayload.equals(image)]).toEqual([200, true]);
  const removed = await post(await product.basicOf('tanaka'), `${paths.bots}${id}/picture`, { picture: 'none' });
  expect(removed.json()).toEqual({ avatar_url: null });
  expect((await product.app.inject({ url: url ?? '', headers })).statusCode).toBe(404);
});

it('A member who does not own a bot cannot set its picture, not even that of a person', async () => {
  const { id } = await botOf('tanaka');
  const { user_id } = await product.call('tanaka', getOwnUser, {});
  expect((await give('suzuki', id)).statusCode).toBe(404);
  expect((await give('suzuki', user_id)).statusCode).toBe(404);
});

it('A bot that a member has given away keeps its picture, which only the new owner changes', async () => {
  const { id } = await botOf('suzuki');
  const { avatar_url } = botPicture.parse((await give('suzuki', id)).json());
  const { user_id: bot_owner_id } = await product.call('sato', getOwnUser, {});
  await product.call('takahashi.koichi', updateBot, { bot_id: id, bot_owner_id });
  expect((await product.call('sato', getUser, { user_id: id })).user.avatar_url).toBe(avatar_url);
  expect((await give('suzuki', id)).statusCode).toBe(404);
  expect((await give('sato', id)).statusCode).toBe(200);
});

it.each([
  ['GET', paths.people],
  ['GET', paths.profile],
  ['GET', paths.departmentTree],
  ['GET', paths.sessions],
  ['DELETE', paths.sessions],
  ['GET', accountPaths.keys],
  ['GET', livePath],
  ['GET', callPaths.calls],
  ['GET', administrationPaths.members],
  ['GET', administrationPaths.organisation],
] as const)('A bot that is an administrator cannot call %s %s of the product', async (method, url) => {
  const { id, authorization } = await botOf('takahashi.koichi');
  await product.call('takahashi.koichi', updateBot, { bot_id: id, role: roles.administrator });
  const answer = await product.app.inject({ method, url, headers: { host, authorization } });
  expect([answer.statusCode, answer.json()]).toMatchObject([403, { msg: 'This call does not accept bots.' }]);
  await product.call('takahashi.koichi', deactivateBot, { bot_id: id });
});

it('A bot uploads a file', async () => {
  const { authorization } = await botOf('tanaka');
  const fields = { file: new File(['報告'], '報告.txt'), dstFileName: `${'bot'.padEnd(20, '0')}.txt` };
  const answer = await post(authorization, paths.upload, fields);
  expect(uploadAnswer.parse(answer.json())).toMatchObject({ name: '報告.txt' });
});

it('Nobody signs in as a bot by its address', async () => {
  const { email } = await botOf('tanaka');
  const answer = await product.app.inject({
    method: 'POST',
    url: paths.session,
    headers: { host, ...fromOwnPage },
    payload: { email },
  });
  expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'AUTHENTICATION_FAILED' }]);
});

it('A bot is neither in the directory nor in the list of members of the administration, and has no presence', async () => {
  const { id, authorization } = await botOf('tanaka');
  const { user_id: tanaka } = await product.call('tanaka', getOwnUser, {});
  const look = async (url: string, name: string) =>
    (await product.app.inject({ url, headers: { host, authorization: await product.basicOf(name) } })).json();
  const { people } = directoryPage.parse(await look(paths.people, 'tanaka'));
  const { members } = administeredMembers.parse(await look(administrationPaths.members, 'takahashi.koichi'));
  for (const listed of [people, members].map((list) => list.map(({ user_id }) => user_id))) {
    expect([listed.includes(tanaka), listed.includes(id)]).toEqual([true, false]);
  }
  await product.call('tanaka', updatePresence, { status: 'active' });
  const form = { host, authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const reported = await product.app.inject({
    method: 'POST',
    url: '/api/v1/users/me/presence',
    headers: form,
    payload: 'status=active',
  });
  expect([reported.statusCode, reported.json()]).toMatchObject([400, { result: 'error' }]);
  const { presences = {} } = await product.call('sato', getRealmPresence, {});
  const emails = await Promise.all(
    [tanaka, id].map(async (user_id) => (await product.call('tanaka', getUser, { user_id })).user.email),
  );
  expect(emails.map((email) => email in presences)).toEqual([true, false]);
});
