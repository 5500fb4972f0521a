import { subscribe, unsubscribe, updateUser } from '@engawa/client';
import { roles } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chatServer } from '../../../test/chatServer.ts';
import { ai, design, ken, mai } from '../../../test/organisation.ts';
import { selectStreamIds } from '../conversations/selectors.ts';
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

describe('[R2.5] Changed departments', () => {
  it('If a change of the departments concerns the member, the model loads departments and directory again at once', async () => {
    const { server, model } = await settled();
    await server.reorganise(renamed, [ken.user_id, ai.user_id]);
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
    await vi.waitFor(() => expect(server.called(people)).toHaveLength(2));
  });

  it('If a change of the departments concerns only others, the model loads them after a random delay, once for several changes', async () => {
    const { server, model, clock } = await settled();
    await server.reorganise([{ departmentCd: '1', displayName: '本部' }], [ken.user_id]);
    await server.reorganise(renamed, []);
    // The longest possible delay: one millisecond per member.
    await clock.until(selectPeople(model.state()).length);
    expect(selectDepartments(model.state())?.[0]?.displayName).toBe('全社アナウンス');
    await clock.pass(selectPeople(model.state()).length);
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
    expect(server.called(tree)).toHaveLength(2);
  });

  it('If changed departments cannot be loaded, the model keeps the previous ones and tries again', async () => {
    const { server, model, clock } = await settled();
    server.fail(tree, 'cut');
    await server.reorganise(renamed, [ai.user_id]);
    await vi.waitFor(() => expect(selectDepartmentsFailure(model.state())).toEqual({ kind: 'network' }));
    expect(selectDepartments(model.state())?.[0]?.displayName).toBe('全社アナウンス');
    await clock.pass(1000);
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
    expect(selectDepartmentsFailure(model.state())).toBeUndefined();
  });

  it('When a guest joins or leaves a stream, their model loads departments and directory again at once', async () => {
    const server = await chatServer();
    await updateUser(server.as(ai), { user_id: mai.user_id, role: roles.guest });
    server.signInAs(mai);
    const { model } = await started({ server, member: mai });
    await vi.waitFor(() => expect(server.called(people)).toHaveLength(1));
    await subscribe(server.as(ken), { subscriptions: [{ name: design.name }], principals: [mai.user_id] });
    await vi.waitFor(() => expect(server.called(people)).toHaveLength(2));
    expect(server.called(tree)).toHaveLength(2);
    await unsubscribe(server.as(ken), { subscriptions: [design.name], principals: [mai.user_id] });
    await vi.waitFor(() => expect(server.called(people)).toHaveLength(3));
    expect(selectStreamIds(model.state())).not.toContain(design.stream_id);
  });

  it('After the event queue was lost, the model loads the departments again, because a missed event may have changed them', async () => {
    const { server, model } = await settled();
    await server.reorganise(renamed, []);
    await server.loseQueues();
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
  });
});
