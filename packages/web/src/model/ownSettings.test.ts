import type { Audience } from '@engawa/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ai, errorAnswer } from '../../test/chatServer.ts';
import { started, stopAll } from '../../test/example.ts';

afterEach(stopAll);

const everyone: Audience = { audience: 'everyone', user_ids: [], departments: [] };
const selected: Audience = { audience: 'selected', user_ids: [2], departments: ['1-1'] };
const call = 'PATCH /settings';

describe('what a member chooses for themselves', () => {
  it('[R2.25.1] begins as the server keeps it', async () => {
    const { model } = await started();
    expect(model.settings()).toEqual({ send_read_receipts: true });
  });

  it('[R2.25.1] is shown at once, told to the server, and stays', async () => {
    const { server, model } = await started();
    server.fail(call, 'hold');
    const told = model.changeSettings({ photo_audience: selected });
    await vi.waitFor(() => expect(model.settings().photo_audience).toEqual(selected));
    await vi.waitFor(() => expect(server.called(call)).toHaveLength(1));
    server.release();
    expect(await told).toBeUndefined();
    expect(model.settings().photo_audience).toEqual(selected);
    expect(JSON.parse(server.called(call)[0]?.parameters['photo_audience'] ?? '')).toEqual(selected);
  });

  it.each([
    ['cut', { kind: 'network' }],
    [errorAnswer(400, 'BAD_REQUEST', 'No such user'), { kind: 'refused', code: 'BAD_REQUEST', message: 'No such user' }],
  ] as const)('[R8.4] is what it was where that fails (%#), and says why', async (fault, failure) => {
    const { server, model } = await started();
    expect(await model.changeSettings({ photo_audience: everyone })).toBeUndefined();
    server.fail(call, fault);
    expect(await model.changeSettings({ photo_audience: selected })).toEqual(failure);
    expect(model.settings().photo_audience).toEqual(everyone);
  });

  it('is what was chosen last, whatever becomes of what was chosen before', async () => {
    const { server, model } = await started();
    server.fail(call, 'cut');
    const first = model.changeSettings({ presence_enabled: false, send_private_typing_notifications: false });
    const second = model.changeSettings({ presence_enabled: true });
    expect(await first).toEqual({ kind: 'network' });
    expect(model.settings()).toEqual({ send_read_receipts: true, presence_enabled: true });
    expect(await second).toBeUndefined();
    expect(model.settings().presence_enabled).toBe(true);
  });

  it('[R2.25.1] is the same on another device at once, and what no server of ours says changes nothing', async () => {
    const { server, model } = await started();
    server.happen('user_settings', { op: 'update', property: 'status_audience', value: selected });
    await vi.waitFor(() => expect(model.settings().status_audience).toEqual(selected));
    server.happen('user_settings', { op: 'update', property: 'status_audience', value: 'somebody' });
    server.happen('user_settings', { op: 'update', property: 'presence_enabled', value: false });
    await vi.waitFor(() => expect(model.settings().presence_enabled).toBe(false));
    expect(model.settings().status_audience).toEqual(selected);
  });

  it('[R9.5] tells the time zone to the server, and shows it once it is told of it', async () => {
    const { server, model } = await started();
    expect(await model.changeSettings({ timezone: 'Europe/Paris' })).toBeUndefined();
    expect(server.called(call)[0]?.parameters).toEqual({ timezone: 'Europe/Paris' });
    server.happen('realm_user', { op: 'update', person: { user_id: ai.user_id, email: ai.email, timezone: 'Europe/Paris' } });
    await vi.waitFor(() => expect(model.me()?.timezone).toBe('Europe/Paris'));
  });
});
