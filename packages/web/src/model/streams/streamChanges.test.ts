import { deleteStream, unsubscribe, updateStream, updateSubscriptionProperties } from '@engawa/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { ai, general, ken, lunch } from '../../../test/organisation.ts';
import { started, stopAll } from '../../../test/example.ts';
import { selectArchivedIds, selectStream, selectStreamIds, selectTotalUnread } from '../conversations/selectors.ts';
import { selectLostStream } from './state.ts';

afterEach(stopAll);

const setting = 'POST /users/me/subscriptions/properties';
const { stream_id: id } = lunch;

describe('The member’s subscription', () => {
  it('[R3.1] [R2.11.2] A stream that the member mutes keeps its own unread count, and the total excludes it at once', async () => {
    const { server, model } = await started();
    await vi.waitFor(() => expect(selectTotalUnread(model.state())).toBe(2));
    expect(await model.changeStream(id, { kind: 'set', settings: { is_muted: true } })).toBeUndefined();
    expect(server.called(setting).map(({ parameters }) => parameters)).toEqual([
      { subscription_data: JSON.stringify([{ stream_id: id, property: 'is_muted', value: true }]) },
    ]);
    expect(selectStream(model.state(), id)).toMatchObject({ status: 'muted', notifies: 'none', unReadCount: 1 });
    expect(selectTotalUnread(model.state())).toBe(1);
  });

  it('[R2.11.3] An archived stream is listed last and excluded from the total, until the member restores it on another device', async () => {
    const { server, model } = await started();
    const before = selectStreamIds(model.state());
    expect(await model.changeStream(general.stream_id, { kind: 'set', settings: { put_away: true } })).toBeUndefined();
    expect([selectArchivedIds(model.state()), selectStreamIds(model.state())?.at(-1), selectTotalUnread(model.state())]).toEqual([
      [general.stream_id],
      general.stream_id,
      1,
    ]);
    const back = { stream_id: general.stream_id, property: 'put_away', value: false };
    await updateSubscriptionProperties(server.as(ai), { subscription_data: [back] });
    await vi.waitFor(() => expect(selectArchivedIds(model.state())).toEqual([]));
    expect(selectStreamIds(model.state())).toEqual(before);
  });

  it('A pinned stream is listed above the other streams', async () => {
    const { model } = await started();
    await model.changeStream(id, { kind: 'set', settings: { pin_to_top: true } });
    expect(selectStreamIds(model.state())?.[0]).toBe(id);
  });

  it('[R8.4] If the server refuses a change of a subscription, its settings stay, and changeStream returns the failure', async () => {
    const { server, model } = await started();
    server.fail(setting, 'cut');
    expect(await model.changeStream(id, { kind: 'set', settings: { is_muted: true } })).toEqual({ kind: 'network' });
    expect(selectStream(model.state(), id)?.status).toBe('active');
  });
});

describe('A stream', () => {
  it('[R2.11.1] A stream shows the new name, description and picture when the events of the changes arrive', async () => {
    const { server, model } = await started();
    await updateStream(server.as(ken), { stream_id: id, new_name: '昼食', description: '今日のお昼' });
    await server.setStreamPicture(lunch, '/api/streams/12/picture/1');
    await vi.waitFor(() => expect(selectStream(model.state(), id)?.profile).toBe('/api/streams/12/picture/1'));
    expect(selectStream(model.state(), id)).toMatchObject({ name: '昼食', description: '今日のお昼' });
    await server.setStreamPicture(lunch, null);
    await vi.waitFor(() => expect(selectStream(model.state(), id)?.profile).toBeUndefined());
  });

  it('[R2.11.4] A closed stream disappears at once, and the model still knows its name and that it was closed', async () => {
    const { server, model } = await started();
    model.open(id);
    await deleteStream(server.as(ken), { stream_id: id });
    await vi.waitFor(() => expect(selectStream(model.state(), id)).toBeUndefined());
    expect(selectLostStream(model.state())).toEqual({ streamId: id, name: lunch.name, how: 'closed' });
  });

  it('[R2.11.1] A stream that the member leaves disappears at once, and its later deletion changes nothing', async () => {
    const { server, model } = await started();
    await unsubscribe(server.as(ai), { subscriptions: [lunch.name] });
    await deleteStream(server.as(ken), { stream_id: id });
    await vi.waitFor(() => expect(selectStream(model.state(), id)).toBeUndefined());
    expect(selectLostStream(model.state())).toMatchObject({ streamId: id, how: 'left' });
  });

  it('[R2.11.1] Adding members to a stream fails if some of them refuse, and the failure names those members', async () => {
    const { server, model } = await started();
    const refusal = { result: 'error', msg: 'no', code: 'GROUP_NOT_WANTED', user_ids: [ken.user_id] };
    server.fail('POST /users/me/subscriptions', Response.json(refusal, { status: 400 }));
    const failure = await model.changeStream(id, { kind: 'invite', userIds: [ken.user_id] });
    expect(failure).toEqual({ kind: 'not-wanted', userIds: [ken.user_id] });
  });

  it('[R8.4] If the server refuses a change of a stream, its properties stay, and changeStream returns the failure', async () => {
    const { server, model } = await started();
    server.fail(`PATCH /streams/${id}`, errorAnswer(400, 'BAD_REQUEST', "Stream name '企画' is already taken."));
    const failure = await model.changeStream(id, { kind: 'change', name: '企画', description: '' });
    expect(failure).toMatchObject({ kind: 'refused', message: "Stream name '企画' is already taken." });
  });

  it('A change of a stream that was deleted in the meantime fails with the reason that the stream is gone', async () => {
    const { model } = await started();
    const failure = await model.changeStream(987, { kind: 'leave' });
    expect(failure).toMatchObject({ kind: 'refused', code: 'STREAM_DOES_NOT_EXIST' });
  });
});
