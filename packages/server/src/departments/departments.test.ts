import { getMessage, getSubscriptions, getUsers, sendMessage, subscribe, unsubscribe } from '@engawa/protocol';
import { type DepartmentNode, departmentTree as treeAnswer } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { departments } from '../demo/departments.ts';
import { people } from '../demo/people.ts';
import { runProductForFile } from '../testing/product.ts';
import { departmentTree } from './tree.ts';

const product = await runProductForFile();
const url = '/api/department/tree';
const host = 'localhost';

type Named = Pick<DepartmentNode, 'displayName' | 'children'>;
const names = (nodes: readonly Named[]): unknown[] =>
  nodes.map(({ displayName, children = [] }) => [displayName, names(children)]);

const to = { type: 'stream', to: 'プロダクト開発部', topic: 'stream events' };
const says = async (content: string) => (await product.call('tanaka', sendMessage, { ...to, content })).id;
const called = async (name: string, message_id: number) =>
  (await product.call(name, getMessage, { message_id })).message.flags?.includes('mentioned');

describe('department tree', () => {
  it('[R7.1] GET /api/department/tree returns the departments in order at data.data.data', async () => {
    const answer = await product.app.inject({ url, headers: { host, cookie: await product.cookieOf('tanaka') } });
    const nodes = answer.json().data.data.data;
    expect(names(nodes)).toEqual(names(departments));
    expect(treeAnswer.parse(answer.json())).toEqual(nodes);
  });

  it('[R3.4] The department tree has the code and name of each department, and its children if there are any', async () => {
    const answer = await product.app.inject({ url, headers: { host, authorization: await product.basicOf('tanaka') } });
    const [company] = treeAnswer.parse(answer.json());
    expect(company).toMatchObject({ departmentCd: '0000', displayName: '株式会社 縁側' });
    expect(company?.children?.at(-1)).toMatchObject({ departmentCd: '9000', displayName: '内部監査室' });
    expect(company?.children?.at(-1)).not.toHaveProperty('children');
  });

  it("[R2.5] The department tree contains the id of each department's stream", async () => {
    const answer = await product.app.inject({ url, headers: { host, authorization: await product.basicOf('tanaka') } });
    const { subscriptions } = await product.call('tanaka', getSubscriptions, {});
    const own = subscriptions.find(({ name }) => name === 'プロダクト開発部');
    expect(answer.body).toContain(`"displayName":"プロダクト開発部","streamId":${own?.stream_id}`);
  });

  it('[R7.1] The department tree lists the user ids of the direct members of each department', async () => {
    const answer = await product.app.inject({ url, headers: { host, authorization: await product.basicOf('tanaka') } });
    const [company] = treeAnswer.parse(answer.json());
    const { members } = await product.call('tanaka', getUsers, {});
    const emails = (node: DepartmentNode | undefined) =>
      members.filter(({ user_id }) => node?.memberIds?.includes(user_id)).map(({ email }) => email);
    const design = company?.children?.[0]?.children?.find(({ displayName }) => displayName === 'デザイン室');
    expect(emails(company)).toEqual(['fujiwara@engawa.example']);
    expect(emails(design)).toEqual(people.filter((each) => each.departments.includes('1300')).map(({ email }) => email));
    expect(emails(design)).toContain('tanaka@engawa.example');
  });

  it.each([
    ['nobody', {}, 'UNAUTHORIZED'],
    ['a wrong key', { authorization: `Basic ${btoa(`tanaka@engawa.example:${'x'.repeat(32)}`)}` }, 'INVALID_API_KEY'],
    ['an unknown session', { cookie: `engawa_session=${'x'.repeat(43)}` }, 'UNAUTHORIZED'],
  ])('[R6.2] The department tree is refused to %s', async (_, headers, code) => {
    const answer = await product.app.inject({ url, headers: { host, ...headers } });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { result: 'error', code }]);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('A guest can read the department tree', async () => {
    const answer = await product.app.inject({ url, headers: { host, cookie: await product.cookieOf('murakami') } });
    expect(answer.statusCode).toBe(200);
  });

  it('[I5.5] A mention of a department notifies its members and those of the departments below, if they are in the stream', async () => {
    const [room, division] = [await says('@*デザイン室*'), await says('@*開発本部* の皆さん')];
    expect([await called('tanaka', room), await called('sato', room)]).toEqual([true, false]);
    expect([await called('tanaka', division), await called('sato', division)]).toEqual([true, true]);
  });

  it('A mention of a department by a guest notifies its members only if the guest is in its stream', async () => {
    const { members } = await product.call('tanaka', getUsers, {});
    const guest = members.filter(({ email }) => email === 'murakami@engawa.example').map(({ user_id }) => user_id);
    const release = { ...to, to: 'リリース 2.4', content: '@*プロダクト開発部* の皆さん' };
    const asked = async () => (await product.call('murakami', sendMessage, release)).id;
    expect(await called('sato', await asked())).toBe(false);
    await product.call('tanaka', subscribe, { subscriptions: [{ name: 'プロダクト開発部' }], principals: guest });
    expect(await called('sato', await asked())).toBe(true);
    await product.call('murakami', unsubscribe, { subscriptions: ['プロダクト開発部'] });
  });

  it('The department tree can have several roots and two departments with the same name', () => {
    const row = { parent: null, position: 0, display_name: '総務', stream_id: null };
    const rows = [
      { ...row, department_cd: '1' },
      { ...row, department_cd: '2', stream_id: 7 },
    ];
    expect(departmentTree(rows, [{ department_cd: '2', user_id: 5, position: 0 }])).toEqual([
      { departmentCd: '1', displayName: '総務', memberIds: [] },
      { departmentCd: '2', displayName: '総務', streamId: 7, memberIds: [5] },
    ]);
  });
});
