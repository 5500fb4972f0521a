import { updatePresence, updateStatus, updateSettings } from '@engawa/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { presenceBatchSeconds, type User } from '@engawa/protocol';
import { chatServer, type ChatServer } from '../../../test/chatServer.ts';
import { ai, ken, mai } from '../../../test/organisation.ts';
import { eg, newBrowser, ready, started, stopAll, type Example } from '../../../test/example.ts';
import { selectConnection } from '../connection/state.ts';
import { selectPresence, selectStatus } from './selectors.ts';

afterEach(stopAll);

const call = 'POST /users/me/presence';
const { locks } = navigator;
const said = ({ server }: Example) => server.called(call).map(({ parameters }) => parameters['status']);
/** In steps of ten seconds, as the model reads the clock. */
async function pass({ clock }: Example, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await clock.pass(10_000);
}
/** Reports the member as active, and lets the server publish that. */
async function appear(server: ChatServer, member: User): Promise<void> {
  await updatePresence(server.as(member), { status: 'active', new_user_input: true });
  await server.clock.jump(presenceBatchSeconds);
}

describe('The member’s own presence', () => {
  it('[R2.20.2] The model reports the member’s presence at once, and every minute while a tab is visible', async () => {
    const example = await started();
    const { server, model } = example;
    model.attend('active');
    await vi.waitFor(() => expect(said(example)).toEqual(['active']));
    expect(server.called(call)[0]?.parameters).toMatchObject({
      slim_presence: 'true',
      new_user_input: 'true',
      last_update_id: expect.any(String),
    });
    await pass(example, 5);
    expect(said(example)).toEqual(['active']);
    await pass(example, 1);
    await vi.waitFor(() => expect(said(example)).toEqual(['active', 'active']));
  });

  it('[R2.20.2] The model reports the member as idle after a minute without input, and as active at the next input', async () => {
    const example = await started();
    const { model } = example;
    model.attend('active');
    await vi.waitFor(() => expect(said(example)).toEqual(['active']));
    model.attend('idle');
    await pass(example, 7);
    await vi.waitFor(() => expect(said(example)).toEqual(['active', 'idle']));
    model.attend('active');
    await vi.waitFor(() => expect(said(example)).toEqual(['active', 'idle', 'active']));
  });

  it('[R2.20.2] The model reports no presence while no tab is visible', async () => {
    const example = await started();
    const { model } = example;
    model.attend('hidden');
    await pass(example, 20);
    expect(said(example)).toEqual([]);
    model.attend('active');
    await vi.waitFor(() => expect(said(example)).toEqual(['active']));
    model.attend('hidden');
    await pass(example, 20);
    expect(said(example)).toEqual(['active']);
  });

  it('[R2.25.2] A member who hides their presence reports none and sees the presence of nobody', async () => {
    const example = await started();
    const { server, model } = example;
    await appear(server, ken);
    await model.changeSettings({ presence_enabled: false });
    model.attend('active');
    await pass(example, 12);
    expect(said(example)).toEqual([]);
    expect(selectPresence(model.state(), ken.user_id)).toBeUndefined();
    await model.changeSettings({ presence_enabled: true });
    await vi.waitFor(() => expect(server.called(call)[0]?.parameters['last_update_id']).toBe('-1'));
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toBeDefined());
  });

  it('[R2.25.2] When a member shows their presence again, the model waits until the server has stored it, then reports and requests presence', async () => {
    const example = await started();
    const { server, model } = example;
    await appear(server, mai);
    await vi.waitFor(() => expect(selectPresence(model.state(), mai.user_id)).toBeDefined());
    await model.changeSettings({ presence_enabled: false });
    model.attend('active');
    server.fail('PATCH /settings', 'hold');
    const changing = model.changeSettings({ presence_enabled: true });
    await vi.waitFor(() => expect(server.called('PATCH /settings')).toHaveLength(2));
    await pass(example, 2);
    expect(said(example)).toEqual([]);
    server.release();
    await changing;
    await vi.waitFor(() => expect(said(example)).toEqual(['active']));
    expect(server.called(call)[0]?.parameters['last_update_id']).toBe('-1');
    expect(selectPresence(model.state(), mai.user_id)).toBeUndefined();
  });

  it('[R4.4] Only one tab of a browser reports presence, and all its tabs receive the presence of other members', async () => {
    const browser = newBrowser();
    const first = await started({ browser, environment: { locks } });
    const second = await eg({ server: first.server, browser, environment: { locks } });
    second.model.start();
    await ready(second.model);
    await appear(first.server, ken);
    first.model.attend('hidden');
    second.model.attend('active');
    await vi.waitFor(() => expect(said(first)).toEqual(['active']));
    for (const { model } of [first, second]) {
      await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)?.kind).toBe('online'));
    }
  });

  it('If a report of presence fails, the model reports again a minute later', async () => {
    const example = await started();
    const { server, model } = example;
    server.fail(call, 'cut');
    model.attend('active');
    await vi.waitFor(() => expect(said(example)).toEqual(['active']));
    await pass(example, 6);
    await vi.waitFor(() => expect(said(example)).toHaveLength(2));
    expect(selectConnection(model.state())).toBe('online');
  });
});

describe('The presence of others', () => {
  it('[R2.20.2] Another member goes online when a presence event arrives, and offline when none has arrived for some time', async () => {
    const example = await started();
    const { server, model } = example;
    model.attend('idle');
    const now = Math.floor(server.clock.now() / 1000);
    await appear(server, ken);
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toEqual({ kind: 'online', lastSeen: undefined }));
    const told = vi.fn();
    model.watch((state) => selectPresence(state, mai.user_id), told);
    await pass(example, 21);
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toEqual({ kind: 'offline', lastSeen: now }));
    expect(told).not.toHaveBeenCalled();
  });

  it('[R2.25.2] When another member hides their presence, the model no longer knows it', async () => {
    const example = await started();
    const { server, model } = example;
    await appear(server, ken);
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toBeDefined());
    await updateSettings(server.as(ken), { presence_enabled: false });
    await server.clock.jump(presenceBatchSeconds);
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toBeUndefined());
  });
});

describe('A status', () => {
  const status = { text: '会議中', busy: true, until: undefined };
  const tell = 'POST /users/me/status';

  it('[R2.24.1] The model loads the status of another member at the start, and then changes it with each status event', async () => {
    const server = await chatServer();
    await updateStatus(server.as(ken), { status_text: '外出', scheduled_end_time: 1_800_000_000 });
    const { model } = await started({ server });
    expect(selectStatus(model.state(), ken.user_id)).toEqual({ text: '外出', busy: false, until: 1_800_000_000 });
    await updateStatus(server.as(ken), { emoji_name: 'no_entry', scheduled_end_time: null });
    await vi.waitFor(() =>
      expect(selectStatus(model.state(), ken.user_id)).toEqual({ text: '外出', busy: true, until: undefined }),
    );
    await updateStatus(server.as(ken), { status_text: '', emoji_name: '' });
    await vi.waitFor(() => expect(selectStatus(model.state(), ken.user_id)).toBeUndefined());
  });

  it('[R2.24.1] A change of the member’s own status is shown at once, and is sent with names that other clients of the chat API know', async () => {
    const { server, model } = await started();
    server.fail(tell, 'hold');
    const until = Math.floor(server.clock.now() / 1000) + 3600;
    const told = model.setStatus({ ...status, until });
    await vi.waitFor(() => expect(selectStatus(model.state(), ai.user_id)).toEqual({ ...status, until }));
    await vi.waitFor(() => expect(server.called(tell)).toHaveLength(1));
    server.release();
    expect(await told).toBeUndefined();
    expect(server.called(tell)[0]?.parameters).toMatchObject({
      status_text: '会議中',
      emoji_name: 'no_entry',
      scheduled_end_time: String(until),
    });
    await model.setStatus({ text: '', busy: false, until: undefined });
    expect(server.called(tell)[1]?.parameters).toMatchObject({ status_text: '', emoji_name: '', scheduled_end_time: 'null' });
    await vi.waitFor(() => expect(selectStatus(model.state(), ai.user_id)).toBeUndefined());
  });

  it('[R8.4] A change of the member’s status is reverted if the server refuses it', async () => {
    const { server, model } = await started();
    await model.setStatus(status);
    server.fail(tell, 'cut');
    expect(await model.setStatus({ ...status, text: '休暇' })).toEqual({ kind: 'network' });
    expect(selectStatus(model.state(), ai.user_id)).toEqual(status);
  });
});
