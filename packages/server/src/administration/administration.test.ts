import { getEvents, getSubscriptions, getUser, registerQueue, roles, sendMessage, updateUser } from '@engawa/protocol';
import {
  type MemberChange,
  administeredMembers,
  administeredStreams,
  administrationPaths as at,
  createdDepartment,
  createdMember,
  organisationSettings,
} from '@engawa/protocol/administration';
import { departmentTree, departmentsWithin, directoryPage, paths } from '@engawa/protocol/product';
import type { InjectOptions } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { people } from '../demo/people.ts';
import { type RunningProduct, emailOf, fromOwnPage, runProduct, runProductForFile } from '../testing/product.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Makes a call of the administration page. */
async function ask(product: RunningProduct, name: string | undefined, method: Method, url: string, payload?: object) {
  const authorization = name === undefined ? {} : { authorization: await product.basicOf(name) };
  const headers: InjectOptions['headers'] = { host: 'localhost', ...fromOwnPage, ...authorization };
  const answer = await product.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, json: answer.json<{ code?: string }>() };
}

const owner = 'takahashi.koichi';
/** Shared by the tests that change nothing. */
const product = await runProductForFile();
const idOf = async (name: string, { call }: RunningProduct = product) =>
  (await call(owner, getUser, { user_id: 1 + people.findIndex(({ email }) => email === emailOf(name)) })).user.user_id;

/** A product that the test may change. */
async function another() {
  const made = await runProduct();
  onTestFinished(() => made.close());
  const by = (method: Method, url: string, payload?: object) => ask(made, owner, method, url, payload);
  const streamsOf = async (name: string) =>
    (await made.call(name, getSubscriptions, {})).subscriptions.map((stream) => stream.name);
  const department = async (name: string) => {
    const headers = { host: 'localhost', authorization: await made.basicOf(owner) };
    const tree = departmentTree.parse((await made.app.inject({ url: paths.departmentTree, headers })).json());
    return tree.flatMap(departmentsWithin).find(({ displayName }) => displayName === name);
  };
  return { ...made, by, streamsOf, department };
}

const list = async (query: string) =>
  administeredMembers.parse((await ask(product, owner, 'GET', `${at.members}?${query}`)).json);
const found = async (search: string) => (await list(`search=${encodeURIComponent(search)}`)).members.map(({ email }) => email);

describe('list of members', () => {
  it('The list of members shows the name, reading, title, role and departments of each member, and whether they have a password', async () => {
    const { members, total } = await list('');
    const tanaka = members.find(({ email }) => email === emailOf('tanaka'));
    const person = people.find(({ email }) => email === emailOf('tanaka'));
    expect(total).toBe(people.length);
    expect(tanaka).toMatchObject({ full_name: person?.name, reading: person?.reading, title: person?.title, role: roles.member });
    expect(tanaka).toMatchObject({ departments: person?.departments, is_active: true, has_password: true });
  });

  it.each([
    ['a name, in an old form of a kanji', '髙橋 浩一', 'takahashi.koichi'],
    ['a reading, in katakana', 'タナカ', 'tanaka'],
    ['a reading, in half width', 'ﾀﾅｶ ｼｮｳ', 'tanaka'],
    ['a reading, in Latin letters of either kind', 'Watanabe ryou', 'watanabe.ryo'],
    ['an email', 'NISHIMURA@', 'nishimura'],
  ])("A search in the administration's list of members finds a member by %s", async (_, search, name) => {
    expect(await found(search)).toContain(emailOf(name));
    expect((await found(search)).length).toBeLessThan(10);
  });

  it('The list of members can show the members of one department without those of the departments below it', async () => {
    const { members } = await list('department=1300');
    expect(members.map(({ email }) => email)).toEqual(
      people.filter((each) => each.departments.includes('1300')).map(({ email }) => email),
    );
  });

  it('The list of members is returned in pages, and the last page names no next one', async () => {
    const last = await list(`after=${people.length - 1}`);
    expect(last).toMatchObject({ members: [{ user_id: people.length }], next: null, total: people.length });
  });
});

describe('new member', () => {
  it('[R7.1] A member whom an administrator creates gets the given data, departments and streams', async () => {
    const { by, department, app, basicOf } = await another();
    const made = await by('POST', at.members, {
      full_name: '新人 一郎',
      email: 'shinjin@engawa.example',
      reading: 'しんじん いちろう',
      title: '見習い',
      departments: ['1300', '3100'],
    });
    const { user_id } = createdMember.parse(made.json);
    expect((await department('デザイン室'))?.memberIds).toContain(user_id);
    const headers = { host: 'localhost', authorization: await basicOf('tanaka') };
    const page = directoryPage.parse((await app.inject({ url: `${paths.people}?after=${user_id - 1}`, headers })).json());
    expect(page.people).toEqual([{ user_id, reading: 'しんじん いちろう', title: '見習い', departments: ['1300', '3100'] }]);
    expect((await by('POST', at.members, { full_name: '新人 二郎', email: 'SHINJIN@engawa.example' })).json.code).toBe(
      'EMAIL_IN_USE',
    );
  });

  it.each([
    [{ full_name: '新人 一郎', email: 'not an address' }, 400],
    [{ full_name: '', email: 'shinjin@engawa.example' }, 400],
    [{ full_name: '新人 一郎', email: 'shinjin@engawa.example', role: 150 }, 400],
    [{ full_name: '新人 一郎', email: 'shinjin@engawa.example', departments: ['nowhere'] }, 404],
    [{ email: 'shinjin@engawa.example' }, 400],
  ])('POST /api/administration/members refuses a new member given as %o', async (payload, status) => {
    expect((await ask(product, owner, 'POST', at.members, payload)).status).toBe(status);
  });
});

describe('changed member', () => {
  it('[R2.5] A member who is moved to another department changes streams, and all members are notified of the changed department tree', async () => {
    const { by, call, streamsOf, department } = await another();
    const user_id = await idOf('tanaka');
    const { queue_id, last_event_id } = await call('tanaka', registerQueue, {});
    expect(await streamsOf('tanaka')).toEqual(expect.arrayContaining(['プロダクト開発部', 'デザイン室']));
    const change: MemberChange = { departments: ['3200'] };
    expect((await by('PATCH', `${at.members}/${user_id}`, change)).status).toBe(200);

    const streams = await streamsOf('tanaka');
    expect(streams).toContain('人事部');
    expect(streams).not.toContain('プロダクト開発部');
    expect((await department('人事部'))?.memberIds).toContain(user_id);
    const { events } = await call('tanaka', getEvents, { queue_id, last_event_id, dont_block: true });
    const told = events.map((event) => ('op' in event ? `${event.type} ${event.op}` : event.type));
    expect(told).toEqual(expect.arrayContaining(['subscription remove', 'subscription add', 'stream delete']));
    expect(events).toContainEqual(expect.objectContaining({ type: 'directory', user_ids: [user_id] }));
  });

  it('[R7.6] A deactivated member cannot use the server, and after reactivation has the same departments but no old API keys', async () => {
    const { app, by, call, cookieOf, streamsOf, basicOf, department } = await another();
    const user_id = await idOf('tanaka');
    const before = await streamsOf('tanaka');
    const cookie = await cookieOf('tanaka');
    const look = async () => (await app.inject({ url: paths.people, headers: { host: 'localhost', cookie } })).statusCode;
    expect(await look()).toBe(200);
    await by('PATCH', `${at.members}/${user_id}`, { is_active: false });
    expect(await look()).toBe(401);
    expect((await by('GET', `${at.members}?state=inactive`)).json).toMatchObject({ total: 1, members: [{ user_id }] });
    expect((await department('デザイン室'))?.memberIds).toContain(user_id);

    await by('PATCH', `${at.members}/${user_id}`, { is_active: true });
    expect(await look()).toBe(401);
    const headers = { host: 'localhost', authorization: await basicOf('tanaka') };
    expect((await app.inject({ url: paths.people, headers })).json()).toMatchObject({ code: 'INVALID_API_KEY' });
    const { subscriptions } = await call(owner, getSubscriptions, { include_subscribers: true });
    expect(subscriptions.filter(({ subscribers = [] }) => subscribers.includes(user_id)).length).toBeGreaterThan(0);
    expect(before.length).toBeGreaterThan(0);
  });

  it("An administrator can neither promote a member to owner nor change an owner's email", async () => {
    const made = await another();
    await made.call(owner, updateUser, { user_id: await idOf('tanaka'), role: roles.administrator });
    const change = { email: 'mine@engawa.example' };
    const answer = await ask(made, 'tanaka', 'PATCH', `${at.members}/${await idOf(owner)}`, change);
    expect([answer.status, answer.json.code]).toEqual([403, 'UNAUTHORIZED_PRINCIPAL']);
    expect((await ask(made, 'tanaka', 'PATCH', `${at.members}/9999`, change)).status).toBe(404);
  });
});

describe('departments', () => {
  it('[R2.5] An administrator creates, renames, moves and removes departments, and their streams and members follow', async () => {
    const { by, department, streamsOf } = await another();
    const { departmentCd } = createdDepartment.parse(
      (await by('POST', at.departments, { displayName: '新規事業部', parent: '1000' })).json,
    );
    const url = `${at.departments}/${departmentCd}`;
    const [tanaka, ikeda] = [await idOf('tanaka'), await idOf('ikeda')];
    await by('PATCH', `${url}/members`, { add: [tanaka, ikeda] });
    expect([await streamsOf('tanaka'), await streamsOf('ikeda')]).toEqual([
      expect.arrayContaining(['新規事業部', '開発本部']),
      expect.arrayContaining(['新規事業部', '開発本部']),
    ]);

    await by('PATCH', url, { displayName: '未来事業部' });
    expect(await streamsOf('ikeda')).toContain('未来事業部');

    expect(await streamsOf('ikeda')).not.toContain('営業本部');
    await by('PATCH', url, { parent: '2000', position: 0 });
    const streams = await streamsOf('ikeda');
    expect([streams.includes('営業本部'), streams.includes('開発本部')]).toEqual([true, false]);
    expect((await department('営業本部'))?.children?.[0]?.departmentCd).toBe(departmentCd);

    expect((await by('DELETE', url)).json.code).toBe('DEPARTMENT_NOT_EMPTY');
    await by('PATCH', `${url}/members`, { remove: [tanaka, ikeda] });
    expect(await streamsOf('ikeda')).not.toContain('未来事業部');
    expect((await by('DELETE', url)).status).toBe(200);
    expect(await department('未来事業部')).toBeUndefined();
    const { streams: left } = administeredStreams.parse((await by('GET', `${at.streams}?search=未来`)).json);
    expect(left).toMatchObject([{ name: '未来事業部', is_archived: true, departmentCd: null, members: 0 }]);
  });

  it('A change of a department with an unknown code is refused with 404 and creates no department', async () => {
    expect((await ask(product, owner, 'PATCH', `${at.departments}/x`, { displayName: '幽霊部' })).status).toBe(404);
    expect((await ask(product, owner, 'PATCH', `${at.departments}/x/members`, { add: [1] })).status).toBe(404);
    expect((await ask(product, owner, 'DELETE', `${at.departments}/x`)).status).toBe(404);
  });
});

describe('list of streams', () => {
  it("The administration's list of streams shows the department and the number of subscribers of each stream", async () => {
    const { streams, next } = administeredStreams.parse((await ask(product, owner, 'GET', at.streams)).json);
    expect(next).toBeNull();
    expect(streams.find(({ name }) => name === 'デザイン室')).toMatchObject({
      departmentCd: '1300',
      is_archived: false,
      is_public: false,
    });
    expect(streams.find(({ name }) => name === '雑談・縁側')).toMatchObject({ departmentCd: null, members: people.length });
  });
});

describe('settings of the organisation', () => {
  it('An administrator changes single settings of the organisation, and clients receive an event for each changed setting', async () => {
    const { by, call } = await another();
    const { queue_id, last_event_id } = await call('tanaka', registerQueue, {});
    const before = organisationSettings.parse((await by('GET', at.organisation)).json);
    await by('PATCH', at.organisation, { name: '縁側商店', deletion_limit: 3600 });
    expect((await by('GET', at.organisation)).json).toEqual({ ...before, name: '縁側商店', deletion_limit: 3600 });
    const { events } = await call('tanaka', getEvents, { queue_id, last_event_id, dont_block: true });
    expect(events).toMatchObject([
      { type: 'realm', op: 'update', property: 'name', value: '縁側商店' },
      { type: 'realm', op: 'update_dict', data: { message_content_delete_limit_seconds: 3600 } },
    ]);
    expect((await by('PATCH', at.organisation, { deletion_limit: 5 })).status).toBe(400);
  });

  it('The name of the organisation is stored on one line without invisible characters', async () => {
    const { by } = await another();
    await by('PATCH', at.organisation, { name: '縁側\r\nBcc: evil\u202E\u200B 商店' });
    expect((await by('GET', at.organisation)).json).toMatchObject({ name: '縁側 Bcc: evil 商店' });
    const refused = await by('PATCH', at.organisation, { name: '\u200B\u202E' });
    expect([refused.status, refused.json]).toMatchObject([400, { msg: "Organization name can't be empty!" }]);
    expect((await by('GET', at.organisation)).json).toMatchObject({ name: '縁側 Bcc: evil 商店' });
  });
});

it('A renamed department keeps its stream with the messages sent before', async () => {
  const { by, call, department } = await another();
  const { id } = await call('tanaka', sendMessage, { type: 'stream', to: 'デザイン室', topic: 't', content: '前からの話' });
  const before = await department('デザイン室');
  await by('PATCH', `${at.departments}/1300`, { displayName: '意匠室' });
  expect((await department('意匠室'))?.streamId).toBe(before?.streamId);
  await call('tanaka', sendMessage, { type: 'stream', to: '意匠室', topic: 't', content: 'これからの話' });
  expect(id).toBeGreaterThan(0);
});
