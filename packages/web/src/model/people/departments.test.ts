import { subscribe, unsubscribe, updateUser } from '@engawa/client';
import { roles } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chatServer } from '../../../test/chatServer.ts';
import { ai, design, ken, mai } from '../../../test/organisation.ts';
import { selectStreamIds } from '../conversations/selectors.ts';
import { eg, ready, started, stopAll } from '../../../test/example.ts';
import { selectDepartments, selectDepartmentsFailure } from './selectors.ts';
import { selectPeople } from './peopleList.ts';

afterEach(stopAll);

const [tree, people] = [`GET ${paths.departmentTree}`, `GET ${paths.people}`];
const ascending = (...ids: readonly number[]) => ids.toSorted((one, other) => one - other);
const renamed = [{ departmentCd: '1', displayName: '本社' }];

async function settled() {
  const example = await started();
  await vi.waitFor(() => expect(selectDepartments(example.model.state())?.[0]?.displayName).toBe('全社アナウンス'));
  await vi.waitFor(() => expect(example.server.called(people)).toHaveLength(1));
  return example;
}

describe('[R2.5] Changed departments', () => {
  it('If a change of the departments concerns the member, the model loads the departments again at once, and not the directory', async () => {
    const { server, model } = await settled();
    await server.reorganise(renamed, [ken.user_id, ai.user_id]);
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
    expect(server.called(people)).toHaveLength(1);
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

  it('If few entries of the directory change, the model takes them from the event, also into the departments, and loads nothing', async () => {
    const { server, model } = await settled();
    const memberIds = () => {
      const [company] = selectDepartments(model.state()) ?? [];
      return [company?.memberIds, company?.children?.[0]?.memberIds];
    };
    await server.changeDirectory([
      { user_id: ken.user_id, reading: 'あおき けん', title: '社長', departments: ['1'] },
      { user_id: mai.user_id, reading: 'さとう まい', title: '', departments: ['1-1', '1'] },
    ]);
    await vi.waitFor(() => expect(memberIds()).toEqual([ascending(mai.user_id, ken.user_id), [mai.user_id]]));
    expect(selectPeople(model.state())[0]).toMatchObject({ fullName: ken.full_name, reading: 'あおき けん', title: '社長' });
    await server.changeDirectory([{ user_id: mai.user_id, reading: 'さとう まい', title: '', departments: [] }]);
    await vi.waitFor(() => expect(memberIds()).toEqual([[ken.user_id], []]));
    // The member of this browser would load them at once.
    await server.changeDirectory([{ user_id: ai.user_id, reading: 'たなか あい', title: '', departments: ['1'] }]);
    await vi.waitFor(() => expect(memberIds()).toEqual([ascending(ken.user_id, ai.user_id), []]));
    expect([server.called(tree).length, server.called(people).length]).toEqual([1, 1]);
  });

  it('If many entries of the directory change, the model loads directory and departments again after a random delay', async () => {
    const { server, model, clock } = await settled();
    await server.changeDirectory([{ user_id: ai.user_id, reading: 'あ', title: '社長', departments: [] }], true);
    await clock.until(selectPeople(model.state()).length);
    expect(server.called(people)).toHaveLength(1);
    await clock.pass(selectPeople(model.state()).length);
    await vi.waitFor(() => expect(selectPeople(model.state())[0]).toMatchObject({ fullName: ai.full_name, title: '社長' }));
    expect([server.called(tree).length, server.called(people).length]).toEqual([2, 2]);
  });

  it('If an entry changes while the directory is loading, the model loads it again, because the answer may be older', async () => {
    const { server, model } = await eg();
    const { promise: held, resolve: release } = Promise.withResolvers<Response>();
    server.fail(people, held);
    model.start();
    await ready(model);
    await vi.waitFor(() => expect(server.called(people)).toHaveLength(1));
    await server.changeDirectory([{ user_id: ai.user_id, reading: 'あ', title: '社長', departments: [] }]);
    await vi.waitFor(() => expect(server.called(people)).toHaveLength(2));
    release(Response.json({ people: [], next: null }));
    await vi.waitFor(() => expect(selectPeople(model.state())[0]).toMatchObject({ fullName: ai.full_name, title: '社長' }));
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
    await server.loseQueues(() => server.reorganise(renamed, []));
    await vi.waitFor(() => expect(selectDepartments(model.state())?.[0]?.displayName).toBe('本社'));
  });
});
