import { afterEach, describe, expect, it, vi } from 'vitest';
import { subscribe } from '@engawa/client';
import { errorAnswer } from '../../../test/chatServer.ts';
import { ai, closed, design, ken, open } from '../../../test/organisation.ts';
import { started, stopAll } from '../../../test/example.ts';
import { selectStream, selectStreamIds } from '../conversations/selectors.ts';
import { selectCurrent } from '../timeline/state.ts';

afterEach(stopAll);

const making = 'POST /users/me/subscriptions';

describe('Creating a group', () => {
  it('[R2.7.2] createGroup makes a private stream with shared history for the member and the chosen users, and the member can open it', async () => {
    const { server, model } = await started();
    const streamId = await model.createGroup('　新製品 準備会 ', [ken.user_id]);

    expect(server.called(making).map(({ parameters }) => parameters)).toEqual([
      {
        subscriptions: JSON.stringify([{ name: '新製品 準備会' }]),
        principals: JSON.stringify([ai.user_id, ken.user_id]),
        invite_only: 'true',
        history_public_to_subscribers: 'true',
        authorization_errors_fatal: 'false',
      },
    ]);
    const id = typeof streamId === 'number' ? streamId : 0;
    expect(selectStreamIds(model.state())).toContain(id);
    expect(selectStream(model.state(), id)).toMatchObject({ name: '新製品 準備会', subscribers: [ai.user_id, ken.user_id] });
    model.open(id);
    expect(selectCurrent(model.state())).toBe(id);
  });

  it('[R2.6, R2.7.2] A new group is at the top of its maker’s list, and for the others also unread, until they read its first line', async () => {
    const { model, server } = await started();
    const arrived: (string | undefined)[] = [];
    model.onArrival(({ notice }) => arrived.push(notice?.kind));
    const top = () => selectStream(model.state(), selectStreamIds(model.state())?.[0] ?? 0);
    await model.createGroup('新製品', [ken.user_id]);
    await vi.waitFor(() => expect(top()).toMatchObject({ name: '新製品', unReadCount: 0, message: { notice: {} } }));

    await subscribe(server.as(ken), { subscriptions: [{ name: '読書会' }], principals: [ai.user_id, ken.user_id] });
    await vi.waitFor(() => expect(top()).toMatchObject({ name: '読書会', unReadCount: 1, message: { notice: {} } }));
    expect(arrived).toEqual(['created', 'created']);
  });

  it('[R2.7.2] If a stream has the name already, createGroup adds nobody, and returns the id if the stream is one of the member’s', async () => {
    const { server, model } = await started();
    const mine = await model.createGroup(` ${design.name} `, [ken.user_id]);
    expect(mine).toEqual({ kind: 'name-taken', streamId: design.stream_id });
    expect(await model.createGroup(open.name, [])).toEqual({ kind: 'name-taken', streamId: undefined });
    expect(server.called(making)).toEqual([]);
    expect(await model.createGroup(closed.name, [])).toEqual({ kind: 'name-taken', streamId: undefined });
  });

  it('[R2.7.2, R8.4] createGroup returns the server’s refusal, and can be called again after it', async () => {
    const { server, model } = await started();
    server.fail(making, errorAnswer(400, 'BAD_REQUEST', 'Not allowed for guest users'));
    const refused = { kind: 'refused', code: 'BAD_REQUEST', message: 'Not allowed for guest users' };
    expect(await model.createGroup('読書会', [])).toEqual(refused);
    server.fail('GET /streams', 'cut');
    expect(await model.createGroup('読書会', [])).toEqual({ kind: 'network' });
    server.fail(making, errorAnswer(500, 'INTERNAL', 'broken'));
    expect(await model.createGroup('読書会', [])).toEqual({ kind: 'server' });
    expect(await model.createGroup('読書会', [])).toBeTypeOf('number');
  });

  it('[R8.4] createGroup does not make a second stream when it is repeated after a lost answer', async () => {
    const { server, model } = await started();
    server.fail(making, 'lost');
    expect(await model.createGroup('読書会', [ken.user_id])).toEqual({ kind: 'network' });
    const streamId = await model.createGroup('読書会', [ken.user_id]);
    expect(streamId).toBeTypeOf('number');
    const names = selectStreamIds(model.state())?.map((id) => selectStream(model.state(), id)?.name);
    expect(names?.filter((name) => name === '読書会')).toHaveLength(1);
    // It is an ordinary stream now.
    expect(await model.createGroup('読書会', [])).toEqual({ kind: 'name-taken', streamId });
  });

  it('createGroup waits until the model knows the new stream, even if the connection is lost meanwhile', async () => {
    const { server, model } = await started();
    server.fail('POST /register', 'hold');
    await server.loseQueues();
    const made = vi.fn();
    void model.createGroup('読書会', []).then(made);
    await vi.waitFor(() => expect(server.called(making)).toHaveLength(1));
    expect(made).not.toHaveBeenCalled();
    server.release();
    await vi.waitFor(() => expect(made).toHaveBeenCalled());
    expect(selectStreamIds(model.state())).toContain(made.mock.calls[0]?.[0]);
  });

  it('createGroup ends when the model is stopped', async () => {
    const { server, model } = await started();
    server.fail(making, 'hold');
    const unfinished = model.createGroup('読書会', []);
    await vi.waitFor(() => expect(server.called(making)).toHaveLength(1));
    await model.stop();
    expect(await unfinished).toEqual({ kind: 'signed-out' });
  });
});
