import { paths } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ai, ken } from '../../../test/chatServer.ts';
import { started, stopAll } from '../../../test/example.ts';
import { selectDepartments, selectDepartmentsFailure, selectPeople } from './selectors.ts';

afterEach(stopAll);

const [tree, people] = [`GET ${paths.departmentTree}`, `GET ${paths.people}`];
const renamed = [{ departmentCd: '1', displayName: '本社' }];

async function settled() {
  const example = await started();
  await vi.waitFor(() => expect(selectDepartments(example.model.state())?.[0]?.displayName).toBe('全社アナウンス'));
  await vi.waitFor(() => expect(example.server.called(people)).toHaveLength(1));
  return example;
}

describe('[R2.5] departments that change', () => {
  it('are there at once for whom the change is about, with the directory', async () => {
    const { server, model } = await settled();
    server.reorganise(renamed, [ken.user_id, ai.user_id]);
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
    await vi.waitFor(() => expect(server.called(people)).toHaveLength(2));
  });

  it('are asked for by everybody else in a moment of their own, once for all that was told until then', async () => {
    const { server, model, clock } = await settled();
    server.reorganise([{ departmentCd: '1', displayName: '本部' }], [ken.user_id]);
    server.reorganise(renamed, []);
    // The example waits as long as anybody may: a millisecond for each member.
    await clock.until(selectPeople(model.state()).length);
    expect(selectDepartments(model.state())?.[0]?.displayName).toBe('全社アナウンス');
    await clock.pass(selectPeople(model.state()).length);
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
    expect(server.called(tree)).toHaveLength(2);
  });

  it('stay as they were while they cannot be asked for, and are asked for again', async () => {
    const { server, model, clock } = await settled();
    server.fail(tree, 'cut');
    server.reorganise(renamed, [ai.user_id]);
    await vi.waitFor(() => expect(selectDepartmentsFailure(model.state())).toEqual({ kind: 'network' }));
    expect(selectDepartments(model.state())?.[0]?.displayName).toBe('全社アナウンス');
    await clock.pass(1000);
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
    expect(selectDepartmentsFailure(model.state())).toBeUndefined();
  });

  it('are asked for where nobody could tell of them: after the queue was lost', async () => {
    const { server, model } = await settled();
    server.reorganise(renamed, []);
    server.loseQueues();
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
  });
});
