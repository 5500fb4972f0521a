import { getSubscriptions } from '@engawa/protocol';
import { type DepartmentNode, departmentTree as treeAnswer } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { departments } from '../demo/departments.ts';
import { runProductForFile } from '../testing/product.ts';
import { departmentTree } from './tree.ts';

const product = await runProductForFile();
const url = '/api/department/tree';
const host = 'localhost';

type Named = Pick<DepartmentNode, 'displayName' | 'children'>;
const names = (nodes: readonly Named[]): unknown[] =>
  nodes.map(({ displayName, children = [] }) => [displayName, names(children)]);

describe('the department tree', () => {
  it('[R7.1] stands at data.data.data, in its order', async () => {
    const answer = await product.app.inject({ url, headers: { host, cookie: await product.cookieOf('tanaka') } });
    const nodes = answer.json().data.data.data;
    expect(names(nodes)).toEqual(names(departments));
    expect(treeAnswer.parse(answer.json())).toEqual(nodes);
  });

  it('[R3.4] has the code, the name and the children of each, and none where there is none', async () => {
    const answer = await product.app.inject({ url, headers: { host, authorization: await product.basicOf('tanaka') } });
    const [company] = treeAnswer.parse(answer.json());
    expect(company).toMatchObject({ departmentCd: '0000', displayName: '株式会社 縁側' });
    expect(company?.children?.at(-1)).toEqual({ departmentCd: '9000', displayName: '内部監査室' });
  });

  it('[R2.5] names the stream that a department is bound to', async () => {
    const answer = await product.app.inject({ url, headers: { host, authorization: await product.basicOf('tanaka') } });
    const { subscriptions } = await product.call('tanaka', getSubscriptions, {});
    const own = subscriptions.find(({ name }) => name === 'プロダクト開発部');
    expect(answer.body).toContain(`"displayName":"プロダクト開発部","streamId":${own?.stream_id}`);
  });

  it.each([
    ['nobody', {}, 'UNAUTHORIZED'],
    ['a wrong key', { authorization: `Basic ${btoa(`tanaka@engawa.example:${'x'.repeat(32)}`)}` }, 'INVALID_API_KEY'],
    ['a session that is not there', { cookie: `engawa_session=${'x'.repeat(43)}` }, 'UNAUTHORIZED'],
  ])('[R6.2] is not for %s', async (_, headers, code) => {
    const answer = await product.app.inject({ url, headers: { host, ...headers } });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { result: 'error', code }]);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('is read by a guest, too', async () => {
    const answer = await product.app.inject({ url, headers: { host, cookie: await product.cookieOf('murakami') } });
    expect(answer.statusCode).toBe(200);
  });

  it('may have several roots, and two departments of one name', () => {
    const row = { parent: null, position: 0, display_name: '総務', stream_id: null };
    expect(departmentTree([{ ...row, department_cd: '1' }, { ...row, department_cd: '2', stream_id: 7 }])).toEqual([
      { departmentCd: '1', displayName: '総務' },
      { departmentCd: '2', displayName: '総務', streamId: 7 },
    ]);
  });
});
