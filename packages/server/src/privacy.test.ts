/** Checks the product's own calls for data of a member who hides everything; chat-server checks the chat API. */
import { getOwnUser, getUser, updateSettings, updateStatus } from '@engawa/protocol';
import { accountPaths } from '@engawa/protocol/accounts';
import { administrationPaths } from '@engawa/protocol/administration';
import { callPaths } from '@engawa/protocol/calls';
import { type DepartmentNode, departmentTree, paths, profile, session } from '@engawa/protocol/product';
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { png } from './demo/documents/png.ts';
import { cookieFrom, emailOf, fromOwnPage, runProductForFile, signIn } from './testing/product.ts';

const product = await runProductForFile();
const host = 'localhost';
const image = png(64, 64, () => [10, 120, 60]);
const nobody = { audience: 'nobody' } as const;

/** Uploads a picture for a member. @returns its address. */
async function withPicture(name: string): Promise<string> {
  const form = new FormData();
  const file = new File([new Uint8Array(image)], 'me.png', { type: 'image/png' });
  const fields = { name: `縁側 ${name}`, email: emailOf(name), location: 'ひみつの町', image: file };
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const body = new Response(form);
  const answer = await product.app.inject({
    method: 'POST',
    url: paths.profile,
    headers: {
      host,
      'content-type': body.headers.get('content-type') ?? '',
      authorization: await product.basicOf(name),
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return profile.parse(answer.json()).avatar_url ?? '';
}

async function look(url: string, name: string, headers: InjectOptions['headers'] = {}) {
  return product.app.inject({ url, headers: { host, authorization: await product.basicOf(name), ...headers } });
}

function holds({ memberIds = [], children = [] }: DepartmentNode, userId: number): boolean {
  return memberIds.includes(userId) || children.some((child) => holds(child, userId));
}

const idOf = async (name: string) => (await product.call(name, getOwnUser, {})).user_id;

describe('[R2.25.3] hidden picture', () => {
  it('A hidden picture looks missing to all other members, even if their browser has cached it', async () => {
    const url = await withPicture('kato');
    const { etag = '' } = (await look(url, 'takahashi.koichi')).headers;
    const kept = { 'if-none-match': String(etag) };
    expect((await look(url, 'takahashi.koichi', kept)).statusCode).toBe(304);

    await product.call('kato', updateSettings, { photo_audience: nobody });
    const missing = await look(`${url.slice(0, -1)}x`, 'takahashi.koichi');
    for (const name of ['takahashi.koichi', 'sato', 'tanaka']) {
      const answer = await look(url, name);
      expect([answer.statusCode, answer.body]).toEqual([404, missing.body]);
      expect((await look(url, name, kept)).statusCode).toBe(404);
    }
    expect((await look(url, 'kato')).statusCode).toBe(200);

    await product.call('kato', updateSettings, { photo_audience: { audience: 'everyone' } });
    expect((await look(url, 'sato')).statusCode).toBe(200);
  });

  it('A picture with the audience "selected" is shown to the members of the selected departments and those below', async () => {
    const url = await withPicture('goto');
    const [user_id, viewerId] = [await idOf('goto'), await idOf('tanaka')];
    const [root] = departmentTree.parse((await look(paths.departmentTree, 'goto')).json());
    const chooses = (departments: string[]) =>
      product.call('goto', updateSettings, { photo_audience: { audience: 'selected', departments } });

    // 田中 is below the root, in one department and not in the other.
    expect(root?.memberIds).not.toContain(viewerId);
    await chooses([root?.departmentCd ?? '']);
    expect((await look(url, 'tanaka')).statusCode).toBe(200);
    expect((await product.call('tanaka', getUser, { user_id })).user.avatar_url).toBe(url);

    const other = root?.children?.find((node) => !holds(node, viewerId));
    await chooses([other?.departmentCd ?? '']);
    expect((await look(url, 'tanaka')).statusCode).toBe(404);
    await expect(chooses(['no-such'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

it("[R2.25.3] [R2.25.2] None of the product's own calls returns the hidden data of a member who hides everything", async () => {
  const url = await withPicture('yamamoto');
  const user_id = await idOf('yamamoto');
  await product.call('yamamoto', updateSettings, {
    photo_audience: nobody,
    status_audience: nobody,
    groups_audience: nobody,
    presence_enabled: false,
  });
  await product.call('yamamoto', updateStatus, { status_text: 'ひみつの用事' });
  const secrets = [url, url.split('/').at(-1) ?? url, 'ひみつの用事', 'ひみつの町'];
  const tells = (text: string) => secrets.filter((secret) => text.includes(secret));

  /** The readable calls of `paths`, except pictures that all members see. */
  const asked: Record<
    Exclude<keyof typeof paths, 'upload' | 'logout' | 'storage' | 'streams' | 'bots' | 'emoji' | 'uploads'> | 'keys' | 'calls',
    string
  > = {
    session: paths.session,
    departmentTree: paths.departmentTree,
    profile: paths.profile,
    avatars: url,
    people: paths.people,
    sessions: paths.sessions,
    // The other calls of accounts do not exist in the demo or cannot be read.
    keys: accountPaths.keys,
    calls: callPaths.calls,
  };
  // The administration page shows administrators no more.
  const administered = [administrationPaths.members, administrationPaths.streams, administrationPaths.organisation];
  for (const address of administered) {
    const answer = await look(address, 'takahashi.koichi');
    expect([address, answer.statusCode, tells(answer.body)]).toEqual([address, 200, []]);
  }
  for (const name of ['takahashi.koichi', 'sato', 'tanaka']) {
    for (const [what, address] of Object.entries(asked)) {
      expect([what, tells((await look(address, name)).body)]).toEqual([what, []]);
    }
    const { body, headers } = await signIn(product, name, fromOwnPage);
    expect(tells(body)).toEqual([]);
    const cookie = cookieFrom(headers['set-cookie']);
    expect((await product.app.inject({ url, headers: { host, cookie } })).statusCode).toBe(404);
  }
  // Without a session, the list of candidates.
  const { body } = await product.app.inject({ url: paths.session, headers: { host } });
  expect(tells(body)).toEqual([]);
  const candidate = session.parse(JSON.parse(body)).candidates.find(({ email }) => email === emailOf('yamamoto'));
  expect(candidate?.avatar_url).toBeNull();

  await product.call('yamamoto', updateSettings, { photo_audience: { audience: 'selected', user_ids: [user_id] } });
  const again = await product.app.inject({ url: paths.session, headers: { host } });
  expect(tells(again.body)).toEqual([]);
  await product.call('yamamoto', updateSettings, { photo_audience: { audience: 'everyone' } });
  const open = await product.app.inject({ url: paths.session, headers: { host } });
  expect(tells(open.body)).toContain(url);
});
