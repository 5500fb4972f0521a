import { afterEach, describe, expect, it, vi } from 'vitest';
import { ai, ken, mai } from '../../../test/chatServer.ts';
import { eg, newBrowser, ready, started, stopAll, type Example } from '../../../test/example.ts';
import { selectConnection } from '../connection/state.ts';
import { selectPresence, selectStatus } from './selectors.ts';

afterEach(stopAll);

const call = 'POST /users/me/presence';
const { locks } = navigator;
const said = ({ server }: Example) => server.called(call).map(({ parameters }) => parameters['status']);
/** In steps of ten seconds, as the model looks at the clock. */
async function pass({ clock }: Example, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await clock.pass(10_000);
}
const seconds = ({ clock }: Example) => Math.floor(clock.now() / 1000);

describe('that the member is there', () => {
  it('[R2.20.2] is said at once, and each minute for as long as a tab is looked at', async () => {
    const example = await started();
    const { server, model } = example;
    model.attend('active');
    await vi.waitFor(() => expect(said(example)).toEqual(['active']));
    expect(server.called(call)[0]?.parameters).toMatchObject({
      slim_presence: 'true',
      new_user_input: 'true',
      last_update_id: '0',
    });
    await pass(example, 5);
    expect(said(example)).toEqual(['active']);
    await pass(example, 1);
    await vi.waitFor(() => expect(said(example)).toEqual(['active', 'active']));
  });

  it('[R2.20.2] is said to be idle once no hand has moved for a minute, and active as soon as one moves', async () => {
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

  it('[R2.20.2] is not said where no tab is looked at', async () => {
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

  it('[R2.25.2] is not said by who shows it to nobody, who is then shown nobody, until they show it again', async () => {
    const example = await started();
    const { server, model } = example;
    server.present.set(ken.user_id, { active_timestamp: seconds(example), idle_timestamp: seconds(example) });
    await model.changeSettings({ presence_enabled: false });
    model.attend('active');
    await pass(example, 12);
    expect(said(example)).toEqual([]);
    expect(selectPresence(model.state(), ken.user_id)).toBeUndefined();
    await model.changeSettings({ presence_enabled: true });
    await vi.waitFor(() => expect(server.called(call)[0]?.parameters['last_update_id']).toBe('-1'));
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toBeDefined());
  });

  it('[R2.25.2] is said again only once the server keeps that they show it, and what they see then is what is now', async () => {
    const example = await started();
    const { server, model } = example;
    const now = seconds(example);
    server.happen('presence', { presences: { [mai.user_id]: { active_timestamp: now, idle_timestamp: now } } });
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

  it('[R4.4] is said once for all tabs of a browser, also for one that does not poll; all hear who else is there', async () => {
    const browser = newBrowser();
    const first = await started({ browser, parts: { locks } });
    const second = eg({ server: first.server, browser, parts: { locks } });
    second.model.start();
    await ready(second.model);
    first.server.present.set(ken.user_id, { active_timestamp: seconds(first), idle_timestamp: seconds(first) });
    first.model.attend('hidden');
    second.model.attend('active');
    await vi.waitFor(() => expect(said(first)).toEqual(['active']));
    for (const { model } of [first, second]) {
      await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)?.kind).toBe('online'));
    }
  });

  it('that cannot be said is said again with the next minute', async () => {
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

describe('who else is there', () => {
  it('[R2.20.2] is online when an event says so, and goes by the clock without one', async () => {
    const example = await started();
    const { server, model } = example;
    model.attend('idle');
    const now = seconds(example);
    server.happen('presence', { presences: { [ken.user_id]: { active_timestamp: now, idle_timestamp: now } } });
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toEqual({ kind: 'online', lastSeen: undefined }));
    const told = vi.fn();
    model.watch((state) => selectPresence(state, ai.user_id), told);
    await pass(example, 21);
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toEqual({ kind: 'offline', lastSeen: now }));
    expect(told).not.toHaveBeenCalled();
  });

  it('[R2.25.2] is not known any more once they show it to nobody', async () => {
    const example = await started();
    const { server, model } = example;
    const now = seconds(example);
    server.happen('presence', { presences: { [ken.user_id]: { active_timestamp: now, idle_timestamp: now } } });
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toBeDefined());
    server.happen('presence', { presences: { [ken.user_id]: { active_timestamp: 0, idle_timestamp: 0 } } });
    await vi.waitFor(() => expect(selectPresence(model.state(), ken.user_id)).toBeUndefined());
  });
});

describe('a status', () => {
  const status = { text: '会議中', busy: true, until: undefined };
  const tell = 'POST /users/me/status';

  it('[R2.24.1] of others is there from the start, and changes with what is told', async () => {
    const { server, model } = await started();
    expect(selectStatus(model.state(), ken.user_id)).toEqual({ text: '外出', busy: false, until: 1_800_000_000 });
    server.happen('user_status', { user_id: ken.user_id, emoji_name: 'no_entry' });
    await vi.waitFor(() =>
      expect(selectStatus(model.state(), ken.user_id)).toEqual({ text: '外出', busy: true, until: undefined }),
    );
    server.happen('user_status', { user_id: ken.user_id, status_text: '', emoji_name: '' });
    await vi.waitFor(() => expect(selectStatus(model.state(), ken.user_id)).toBeUndefined());
  });

  it('[R2.24.1] of one’s own is shown at once, and told as other clients understand it', async () => {
    const { server, model } = await started();
    server.fail(tell, 'hold');
    const until = 1_900_000_000;
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
    expect(selectStatus(model.state(), ai.user_id)).toBeUndefined();
  });

  it('[R8.4] that is refused is what it was before', async () => {
    const { server, model } = await started();
    await model.setStatus(status);
    server.fail(tell, 'cut');
    expect(await model.setStatus({ ...status, text: '休暇' })).toEqual({ kind: 'network' });
    expect(selectStatus(model.state(), ai.user_id)).toEqual(status);
  });
});
