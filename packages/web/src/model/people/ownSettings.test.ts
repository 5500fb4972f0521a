import { updateSettings } from '@engawa/client';
import { colorSchemes, type Audience } from '@engawa/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { ai } from '../../../test/organisation.ts';
import { started, stopAll } from '../../../test/example.ts';
import { selectMe, selectSettings } from './selectors.ts';

afterEach(stopAll);

const everyone: Audience = { audience: 'everyone', user_ids: [], departments: [] };
const selected: Audience = { audience: 'selected', user_ids: [2], departments: ['1-1'] };
const call = 'PATCH /settings';

describe('The member’s settings', () => {
  it('[R7.8] The uses of emoji are counted only by a server that stores them', async () => {
    const { server, model } = await started();
    expect(await model.countEmojiUses(['🍵'])).toBeUndefined();
    expect(server.called('POST /users/me/emoji_uses')).toEqual([]);
    await stopAll();
    const other = await started({ capabilities: ['own_settings'] });
    expect(await other.model.countEmojiUses(['🍵'])).toBeUndefined();
    expect(other.server.called('POST /users/me/emoji_uses')).toHaveLength(1);
  });

  it('[R2.25.1] At the start, the settings have the values of the server', async () => {
    const { model } = await started();
    expect(selectSettings(model.state())).toMatchObject({ send_read_receipts: true, presence_enabled: true });
  });

  it('[R2.25.1] A changed setting is shown at once, is sent to the server, and keeps its new value', async () => {
    const { server, model } = await started();
    server.fail(call, 'hold');
    const told = model.changeSettings({ photo_audience: selected });
    await vi.waitFor(() => expect(selectSettings(model.state()).photo_audience).toEqual(selected));
    await vi.waitFor(() => expect(server.called(call)).toHaveLength(1));
    server.release();
    expect(await told).toBeUndefined();
    expect(selectSettings(model.state()).photo_audience).toEqual(selected);
    expect(JSON.parse(server.called(call)[0]?.parameters['photo_audience'] ?? '')).toEqual(selected);
  });

  it.each([
    ['cut', { kind: 'network' }],
    [errorAnswer(400, 'BAD_REQUEST', 'No such user'), { kind: 'refused', code: 'BAD_REQUEST', message: 'No such user' }],
  ] as const)(
    '[R8.4] If a change of a setting fails, the setting keeps its value, and changeSettings returns the failure (%#)',
    async (fault, failure) => {
      const { server, model } = await started();
      expect(await model.changeSettings({ photo_audience: everyone })).toBeUndefined();
      server.fail(call, fault);
      expect(await model.changeSettings({ photo_audience: selected })).toEqual(failure);
      expect(selectSettings(model.state()).photo_audience).toEqual(everyone);
    },
  );

  it('[R2.25.1] After several changes of a setting, the value chosen last is shown even if an earlier change failed', async () => {
    const { server, model } = await started();
    server.fail(call, 'cut');
    const first = model.changeSettings({ presence_enabled: false, send_private_typing_notifications: false });
    const second = model.changeSettings({ presence_enabled: true });
    expect(await first).toEqual({ kind: 'network' });
    expect(selectSettings(model.state())).toMatchObject({ send_read_receipts: true, presence_enabled: true });
    expect(await second).toBeUndefined();
    expect(selectSettings(model.state()).presence_enabled).toBe(true);
  });

  it('[R2.25.1] While several changes of a setting are being saved, only the value chosen last is shown', async () => {
    const { server, model } = await started();
    const { light, dark } = colorSchemes;
    server.fail(call, 'hold', 'hold', 'hold');
    const told = [dark, light, dark].map((color_scheme) => model.changeSettings({ color_scheme }));
    const shown = new Set<unknown>();
    const note = () => shown.add(selectSettings(model.state()).color_scheme);
    await vi.waitFor(() => expect(server.called(call)).toHaveLength(1));
    model.watch(selectSettings, note);
    note();
    for (const count of [1, 2, 3]) {
      await vi.waitFor(() => expect(server.called(call)).toHaveLength(count));
      server.release();
    }
    expect(await Promise.all(told)).toEqual([undefined, undefined, undefined]);
    expect([...shown]).toEqual([dark]);
  });

  it('[R2.25.1] When the page is left, all waiting changes of settings are sent in one request', async () => {
    const { server, model, leave } = await started();
    server.fail(call, 'hold', 'hold');
    const told = [
      model.changeSettings({ color_scheme: colorSchemes.dark }),
      model.changeSettings({ color_scheme: colorSchemes.light, default_language: 'en' }),
      model.changeSettings({ color_scheme: colorSchemes.automatic }),
    ];
    await vi.waitFor(() => expect(server.called(call)).toHaveLength(1));
    leave();
    expect(server.called(call)).toHaveLength(2);
    expect(server.called(call)[1]).toMatchObject({
      parameters: { color_scheme: '1', default_language: 'en' },
      keepalive: true,
    });
    leave();
    server.release();
    expect(await Promise.all(told)).toEqual([undefined, undefined, undefined]);
    expect(selectSettings(model.state())).toMatchObject({ color_scheme: colorSchemes.automatic, default_language: 'en' });
    expect(server.called(call)).toHaveLength(2);
  });

  it('[R2.25.1] A change of a setting is sent even if an earlier change threw a programming error', async () => {
    const { server, model } = await started();
    const mistake = new TypeError('a mistake of ours');
    const wrong = {
      ...everyone,
      toJSON() {
        throw mistake;
      },
    };
    const told = [model.changeSettings({ photo_audience: wrong }), model.changeSettings({ presence_enabled: false })];
    expect(await Promise.allSettled(told)).toEqual([
      { status: 'rejected', reason: mistake },
      { status: 'fulfilled', value: undefined },
    ]);
    expect(server.called(call)).toHaveLength(1);
    expect(selectSettings(model.state())).toMatchObject({ send_read_receipts: true, presence_enabled: false });
  });

  it('[R2.25.1] A setting that the member changes on another device changes here at once', async () => {
    const { server, model } = await started();
    await updateSettings(server.as(ai), { status_audience: selected });
    await vi.waitFor(() => expect(selectSettings(model.state()).status_audience).toEqual(selected));
    await updateSettings(server.as(ai), { presence_enabled: false });
    await vi.waitFor(() => expect(selectSettings(model.state()).presence_enabled).toBe(false));
    expect(selectSettings(model.state()).status_audience).toEqual(selected);
  });

  it('[R9.5] A new time zone is sent to the server, and is shown once its event arrives', async () => {
    const { server, model } = await started();
    expect(await model.changeSettings({ timezone: 'Europe/Paris' })).toBeUndefined();
    expect(server.called(call)[0]?.parameters).toEqual({ timezone: 'Europe/Paris' });
    await vi.waitFor(() => expect(selectMe(model.state())?.timezone).toBe('Europe/Paris'));
  });
});
