import { setTypingStatus, updateSettings } from '@engawa/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressDirect, type User } from '@engawa/protocol';
import type { ChatServer } from '../../../test/chatServer.ts';
import { ai, general, ken, mai } from '../../../test/organisation.ts';
import { started, stopAll, type Example } from '../../../test/example.ts';
import { directOf } from '../streams/conversation.ts';
import { selectConnection } from '../connection/state.ts';
import { selectStream } from '../conversations/selectors.ts';
import { selectTypingMembers } from './state.ts';
import { selectSettings } from '../people/selectors.ts';

const withKen = directOf([ai.user_id, ken.user_id]);

afterEach(stopAll);

/** A clock that a test advances, whatever is being waited for. */
function steppingClock() {
  let now = 1_700_000_000_000;
  const timers = new Map<() => void, number>();
  return {
    now: () => now,
    after(milliseconds: number, callback: () => void) {
      const timer = () => callback();
      timers.set(timer, now + milliseconds);
      return () => void timers.delete(timer);
    },
    pass(milliseconds: number) {
      now += milliseconds;
      const due = timers
        .entries()
        .filter(([, at]) => at <= now)
        .map(([timer]) => timer)
        .toArray();
      for (const timer of due) if (timers.delete(timer)) timer();
    },
  };
}

async function stepping() {
  const clock = steppingClock();
  return { ...(await started({ environment: { clock } })), clock };
}

async function typesTo(server: ChatServer, op: 'start' | 'stop', sender: User, recipients: readonly User[]) {
  const to = addressDirect(recipients.map(({ user_id }) => user_id));
  await setTypingStatus(server.as(sender), { op, type: 'direct', to });
}

const told = (server: Example['server']) =>
  server.called('POST /typing').map(({ parameters: { op, type, to, stream_id } }) => [op, type, to ?? stream_id].join(' '));

describe('[R2.20.2] Other typing members', () => {
  it('Other members who are typing are listed for their conversation, in the order in which they began', async () => {
    const { model, server } = await started();
    const group = [ai, ken, mai];
    await typesTo(server, 'start', mai, group);
    await typesTo(server, 'start', ken, group);
    await typesTo(server, 'start', ai, group);
    await setTypingStatus(server.as(ken), { op: 'start', type: 'stream', stream_id: general.stream_id, topic: 'x' });
    const there = directOf(group.map(({ user_id }) => user_id));
    await vi.waitFor(() => expect(selectTypingMembers(model.state(), there)).toEqual([mai.user_id, ken.user_id]));
    await vi.waitFor(() => expect(selectTypingMembers(model.state(), general.stream_id)).toEqual([ken.user_id]));
    expect(selectTypingMembers(model.state(), withKen)).toEqual([]);
  });

  it('A member is no longer shown as typing when they stop or when their message arrives', async () => {
    const { model, server } = await started();
    await typesTo(server, 'start', ken, [ai, ken]);
    await vi.waitFor(() => expect(selectTypingMembers(model.state(), withKen)).toEqual([ken.user_id]));
    await typesTo(server, 'stop', ken, [ai, ken]);
    await vi.waitFor(() => expect(selectTypingMembers(model.state(), withKen)).toEqual([]));
    await typesTo(server, 'start', ken, [ai, ken]);
    await vi.waitFor(() => expect(selectTypingMembers(model.state(), withKen)).toEqual([ken.user_id]));
    await server.send(ken, withKen, '書きました');
    await vi.waitFor(() => expect(selectTypingMembers(model.state(), withKen)).toEqual([]));
  });

  it('A member is no longer shown as typing fifteen seconds after their last report', async () => {
    const { model, server, clock } = await stepping();
    await typesTo(server, 'start', ken, [ai, ken]);
    await vi.waitFor(() => expect(selectTypingMembers(model.state(), withKen)).toEqual([ken.user_id]));
    clock.pass(10_000);
    await typesTo(server, 'start', ken, [ai, ken]);
    await typesTo(server, 'start', mai, [ai, mai]);
    await vi.waitFor(() =>
      expect(selectTypingMembers(model.state(), directOf([ai.user_id, mai.user_id]))).toEqual([mai.user_id]),
    );
    clock.pass(14_999);
    expect(selectTypingMembers(model.state(), withKen)).toEqual([ken.user_id]);
    clock.pass(1);
    expect(selectTypingMembers(model.state(), withKen)).toEqual([]);
  });
});

describe('[R2.20.2] Typing by the member', () => {
  it('Typing is reported at the first key, again only after an interval, and as ended after a pause', async () => {
    const { model, server, clock } = await stepping();
    model.writes(withKen, true);
    await vi.waitFor(() => expect(told(server)).toEqual(['start direct [1,2]']));
    for (let second = 0; second < 10; second += 1) {
      clock.pass(1000);
      model.writes(withKen, true);
      // Modules that are loaded already arrive in the next turn.
      await Promise.resolve();
    }
    await vi.waitFor(() => expect(told(server)).toEqual(['start direct [1,2]', 'start direct [1,2]']));
    clock.pass(5000);
    await vi.waitFor(() => expect(told(server).at(-1)).toBe('stop direct [1,2]'));
    expect(told(server)).toHaveLength(3);
  });

  it('When the member sends, clears or leaves a text, the end of typing is reported for that conversation only', async () => {
    const { model, server } = await started();
    model.writes(general.stream_id, true);
    model.writes(general.stream_id, false);
    model.writes(general.stream_id, false);
    model.writes(withKen, true);
    model.writes(general.stream_id, true);
    const all = ['start stream 1', 'stop stream 1', 'start direct [1,2]', 'stop direct [1,2]', 'start stream 1'];
    await vi.waitFor(() => expect(told(server)).toEqual(all));
  });

  it('Typing is reported neither in notes to oneself nor if the member has switched it off', async () => {
    const { model, server } = await started();
    await updateSettings(server.as(ai), { send_private_typing_notifications: false });
    await server.send(ken, general.stream_id, '設定のあとの一言');
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.message?.text).toBe('設定のあとの一言'));
    model.writes(withKen, true);
    model.writes(directOf([ai.user_id]), true);
    model.writes(general.stream_id, true);
    await vi.waitFor(() => expect(told(server)).toEqual(['start stream 1']));
  });

  it('[R2.25.2] Typing is not reported by a member who hides their presence', async () => {
    const { model, server } = await started();
    await updateSettings(server.as(ai), { presence_enabled: false });
    await vi.waitFor(() => expect(selectSettings(model.state()).presence_enabled).toBe(false));
    model.writes(withKen, true);
    await vi.dynamicImportSettled();
    await updateSettings(server.as(ai), { presence_enabled: true });
    await vi.waitFor(() => expect(selectSettings(model.state()).presence_enabled).toBe(true));
    model.writes(general.stream_id, true);
    await vi.waitFor(() => expect(told(server)).toEqual(['start stream 1']));
  });

  it('If a report of typing fails, the next one is sent as usual', async () => {
    const { model, server } = await started();
    server.fail('POST /typing', 'cut');
    model.writes(withKen, true);
    model.writes(withKen, false);
    await vi.waitFor(() => expect(told(server)).toEqual(['start direct [1,2]', 'stop direct [1,2]']));
    expect(selectConnection(model.state())).toBe('online');
  });
});
