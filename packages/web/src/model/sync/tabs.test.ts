import { addReaction, setTypingStatus } from '@engawa/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod/mini';
import { chatServer } from '../../../test/chatServer.ts';
import { design, general, ken, lunch } from '../../../test/organisation.ts';
import { eg, newBrowser, only, ready, shown, started, stopAll, type Example } from '../../../test/example.ts';
import { news, newsVersion } from './news.ts';
import { selectConnection } from '../connection/state.ts';
import { selectMe } from '../people/selectors.ts';
import { selectStream, selectStreamIds, selectTotalUnread } from '../conversations/selectors.ts';
import { selectMessage } from '../outbox/selectors.ts';
import { selectCurrent, selectTypingMembers } from '../timeline/state.ts';

afterEach(stopAll);

const { locks } = navigator;

/** Tabs of one browser, started one after the other: the first one leads. */
async function tabs(count: number): Promise<{ readonly first: Example; readonly others: readonly Example[] }> {
  const browser = newBrowser();
  const first = await started({ browser, environment: { locks } });
  const others: Example[] = [];
  while (others.length < count - 1) {
    const other = await eg({ server: first.server, browser, environment: { locks } });
    other.model.start();
    await ready(other.model);
    others.push(other);
  }
  return { first, others };
}

async function two(): Promise<{ readonly first: Example; readonly second: Example }> {
  const { first, others } = await tabs(2);
  const [second] = others;
  if (!second) throw new Error('there is no second tab');
  return { first, second };
}

/** A channel of the tabs of a browser. `intercept` gets each message before the model, and may keep it from the model. */
function interceptedChannel(name: string, browser: number, intercept: (message: MessageEvent) => void): BroadcastChannel {
  const channel = new BroadcastChannel(`${name} of browser ${browser}`);
  channel.addEventListener('message', intercept);
  return channel;
}

describe('[R4.4] Several tabs', () => {
  it('[R4.4] Several tabs use one registration, and all receive its state and the events that one tab polls', async () => {
    const { first, second } = await two();
    const { server } = first;
    expect(server.called('POST /register')).toHaveLength(1);
    expect(selectStreamIds(second.model.state())).toEqual(selectStreamIds(first.model.state()));
    expect(selectTotalUnread(second.model.state())).toBe(2);
    expect(selectMe(second.model.state())).toEqual(selectMe(first.model.state()));

    second.model.open(lunch.stream_id);
    await ready(second.model);
    await server.send(ken, lunch.stream_id, '蕎麦で');
    await vi.waitFor(() => expect(shown(second.model, lunch.stream_id)).toEqual(['お昼どうしますか', '蕎麦で']));
    expect(selectCurrent(first.model.state())).toBe(general.stream_id);
    expect(selectStream(first.model.state(), lunch.stream_id)?.unReadCount).toBe(2);
  });

  it('[R4.4] With eight tabs open, only one of them polls, and the eighth can send and receive messages', async () => {
    const { first, others } = await tabs(8);
    const { server } = first;
    const eighth = others.at(-1)?.model ?? first.model;
    expect(server.polling()).toBe(1);

    eighth.send(general.stream_id, { text: '八つ目から', file: undefined });
    await vi.waitFor(() => expect(only(eighth, general.stream_id, '八つ目から')).toBe(3));
    await server.send(ken, general.stream_id, '届いています');
    for (const { model } of [first, ...others]) {
      await vi.waitFor(() =>
        expect(shown(model, general.stream_id)).toEqual(['おはようございます', '八つ目から', '届いています']),
      );
    }
    expect(server.polling()).toBe(1);
  });

  it('Every tab sends with the event queue of the polling tab, so that no tab shows the sent message twice', async () => {
    const { first, second } = await two();
    second.model.send(general.stream_id, { text: '了解です', file: undefined });
    await vi.waitFor(() => expect(only(second.model, general.stream_id, '了解です')).toBe(3));
    await vi.waitFor(() => expect(only(first.model, general.stream_id, '了解です')).toBe(3));
    expect(first.server.called('POST /messages')[0]?.parameters['queue_id']).toBe(first.model.state().cursor?.queueId);
  });

  it('When a message is read in one tab, it is read in all tabs', async () => {
    const { first, second } = await two();
    second.model.markRead(general.stream_id);
    await vi.waitFor(() => expect(selectTotalUnread(first.model.state())).toBe(1));
  });

  it('[R4.4] When the polling tab is closed, another tab polls the same event queue', async () => {
    const { first, second } = await two();
    const { server } = first;
    await first.model.stop();
    await vi.waitFor(() => expect(server.polling()).toBe(1));
    await server.send(ken, general.stream_id, 'まだいますか');
    await vi.waitFor(() => expect(shown(second.model, general.stream_id)).toEqual(['おはようございます', 'まだいますか']));
    expect(server.called('POST /register')).toHaveLength(1);
  });

  it('[R4.4] If the polling tab closes before its last events reach the next one, that tab polls them and applies each once', async () => {
    const browser = newBrowser();
    const first = await started({ browser, environment: { locks } });
    const { server } = first;
    const channels: BroadcastChannel[] = [];
    const delayed: unknown[] = [];
    let isDelayed = false;
    const second = await eg({
      server,
      browser,
      environment: {
        locks,
        openChannel(name) {
          const channel = interceptedChannel(name, browser, (event) => {
            if (!isDelayed) return;
            event.stopImmediatePropagation();
            delayed.push(event.data);
          });
          channels.push(channel);
          return channel;
        },
      },
    });
    second.model.start();
    await ready(second.model);

    isDelayed = true;
    const id = await server.send(ken, general.stream_id, '一');
    await addReaction(server.as(ken), { message_id: id, emoji_name: 'tada' });
    await vi.waitFor(() => expect(selectMessage(first.model.state(), id)?.reactions).toHaveLength(1));
    await first.model.stop();
    await vi.waitFor(() => expect(shown(second.model, general.stream_id)).toEqual(['おはようございます', '一']));
    await vi.waitFor(() =>
      expect(
        z
          .array(news)
          .parse(delayed)
          .map(({ kind }) => kind),
      ).toContain('batch'),
    );
    isDelayed = false;
    for (const data of delayed) channels[0]?.dispatchEvent(new MessageEvent('message', { data }));
    await server.send(ken, general.stream_id, '二');
    await vi.waitFor(() => expect(shown(second.model, general.stream_id)).toEqual(['おはようございます', '一', '二']));
    expect(selectMessage(second.model.state(), id)?.reactions).toHaveLength(1);
    expect(selectStream(second.model.state(), general.stream_id)?.unReadCount).toBe(3);
    expect(server.called('POST /register')).toHaveLength(1);
  });

  it('Every tab shows a member who is typing, whose event has the id of an event that the tab has already', async () => {
    const { first, second } = await two();
    const { server } = first;
    const type = (op: 'start' | 'stop') =>
      setTypingStatus(server.as(ken), { op, type: 'stream', stream_id: general.stream_id, topic: 'x' });
    for (const [op, typing] of [
      ['start', [ken.user_id]],
      ['stop', []],
    ] as const) {
      await type(op);
      for (const { model } of [first, second]) {
        await vi.waitFor(() => expect(selectTypingMembers(model.state(), general.stream_id)).toEqual(typing));
      }
    }
  });

  it('[R4.4] A tab that becomes the polling tab registers again if the event queue has expired', async () => {
    const { first, second } = await two();
    const { server } = first;
    server.fail('GET /events', 'hold');
    await server.send(ken, general.stream_id, '一');
    await vi.waitFor(() => expect(shown(second.model, general.stream_id).at(-1)).toBe('一'));
    await server.send(ken, general.stream_id, '二');
    await server.loseQueues();
    await first.model.stop();
    await vi.waitFor(() => expect(shown(second.model, general.stream_id)).toEqual(['おはようございます', '一', '二']));
  });

  it('[R4.4] A tab that opens while polling moves from one tab to another becomes online', async () => {
    const browser = newBrowser();
    let letGo = Promise.resolve();
    const server = await chatServer();
    const slowly: typeof server.fetch = async (...request) => {
      try {
        return await server.fetch(...request);
      } finally {
        await letGo;
      }
    };
    const first = await started({ server, browser, environment: { locks, fetch: slowly } });
    const heir = await eg({ server, browser, environment: { locks } });
    heir.model.start();
    await ready(heir.model);

    const stillHeld = Promise.withResolvers<void>();
    letGo = stillHeld.promise;
    const stopped = first.model.stop();
    const third = await eg({ server, browser, environment: { locks } });
    third.model.start();
    await third.clock.until(3000);
    // Its request has arrived at a tab that no longer answers.
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    stillHeld.resolve();
    await stopped;
    await ready(third.model);
    expect(selectConnection(third.model.state())).toBe('online');
    expect(server.called('POST /register')).toHaveLength(1);
  });

  it('A new tab requests the state only once if the polling tab has not registered yet', async () => {
    const browser = newBrowser();
    const spy = new BroadcastChannel(`engawa v${newsVersion} member 1 of browser ${browser}`);
    const said: unknown[] = [];
    spy.addEventListener('message', ({ data }) => said.push(news.safeParse(data).data?.kind));
    const first = await eg({ browser, environment: { locks } });
    const { server } = first;
    await server.send(ken, general.stream_id, 'おはようございます');
    server.fail('POST /register', 'hold');
    first.model.start();
    await vi.waitFor(() => expect(server.called('POST /register')).toHaveLength(1));
    const second = await eg({ server, browser, environment: { locks } });
    second.model.start();
    await vi.waitFor(() => expect(said).toEqual(['hello', 'leading', 'hello', 'leading']));
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    expect(said).toHaveLength(4);
    spy.close();
    server.release();
    await ready(second.model);
  });

  it('A tab stays online if a programming error stops another tab', async () => {
    const { first, second } = await two();
    second.model.watch(selectTotalUnread, () => {
      throw new RangeError('a mistake');
    });
    await first.server.send(ken, design.stream_id, '一');
    await vi.waitFor(() => expect(selectConnection(second.model.state())).toBe('broken'));
    expect(selectConnection(first.model.state())).toBe('online');
    expect(first.server.polling()).toBe(1);
  });

  it('signOut in one tab does not sign out the other tabs, because the member may be signed in again there', async () => {
    const { first, others } = await tabs(3);
    first.model.signOut();
    expect(selectConnection(first.model.state())).toBe('signed-out');
    await first.server.send(ken, general.stream_id, '一');
    for (const { model } of others) {
      await vi.waitFor(() => expect(shown(model, general.stream_id)).toEqual(['おはようございます', '一']));
      expect(selectConnection(model.state())).toBe('online');
    }
  });

  it('When a tab wakes and the polling tab is frozen, the woken tab polls instead', async () => {
    const browser = newBrowser();
    let frozen = false;
    const openChannel = (name: string) => {
      const channel = new BroadcastChannel(`${name} of browser ${browser}`);
      channel.addEventListener('message', (event) => {
        if (frozen) event.stopImmediatePropagation();
      });
      return channel;
    };
    const first = await started({ browser, environment: { locks, openChannel } });
    const { server } = first;
    const second = await eg({ server, browser, environment: { locks } });
    second.model.start();
    await ready(second.model);
    second.wake();
    second.wake();
    await vi.waitFor(() => expect(second.clock.waits()).not.toContain(3000));

    frozen = true;
    server.fail('GET /events', 'hold');
    await server.send(ken, general.stream_id, '一');
    await vi.waitFor(() => expect(shown(second.model, general.stream_id).at(-1)).toBe('一'));
    await server.send(ken, general.stream_id, '二');
    second.wake();
    second.wake();
    await second.clock.pass(3000);
    await vi.waitFor(() => expect(shown(second.model, general.stream_id).at(-1)).toBe('二'));
    expect(server.called('POST /register')).toHaveLength(1);
  });

  it('A new tab takes the polling lock from a tab that is frozen', async () => {
    const thawed = Promise.withResolvers<void>();
    const frozen = locks.request(`engawa-poll v${newsVersion} member 1`, () => thawed.promise);
    const lost = expect(frozen).rejects.toMatchObject({ name: 'AbortError' });
    const { clock, model, server } = await eg({ environment: { locks } });
    model.start();
    await clock.pass(3000);
    await vi.waitFor(() => expect(selectConnection(model.state())).toBe('online'));
    expect(server.called('POST /register')).toHaveLength(1);
    await lost;
    thawed.resolve();
  });

  it('A tab that loses the polling lock keeps receiving the events, and one tab polls again', async () => {
    const { first, second } = await two();
    const { server } = first;
    const over = Promise.withResolvers<void>();
    const thief = locks.request(`engawa-poll v${newsVersion} member 1`, { steal: true }, () => over.promise);
    await vi.waitFor(() => expect(server.polling()).toBe(0));
    over.resolve();
    await thief;
    await vi.waitFor(() => expect(server.polling()).toBe(1));
    await server.send(ken, general.stream_id, 'おかえり');
    for (const { model } of [first, second]) {
      await vi.waitFor(() => expect(shown(model, general.stream_id)).toEqual(['おはようございます', 'おかえり']));
    }
  });

  it('After a lost event queue, all tabs take over the state of one new registration', async () => {
    const { first, second } = await two();
    const { server } = first;
    server.fail('GET /events', 'hold');
    await server.send(ken, general.stream_id, '一');
    await vi.waitFor(() => expect(shown(second.model, general.stream_id).at(-1)).toBe('一'));
    await server.send(ken, general.stream_id, '二');
    await server.send(ken, design.stream_id, '三');
    await server.loseQueues();
    server.release();
    for (const { model } of [first, second]) {
      await vi.waitFor(() => expect(shown(model, general.stream_id)).toEqual(['おはようございます', '一', '二']));
      expect(selectStream(model.state(), design.stream_id)?.unReadCount).toBe(1);
    }
  });

  it('A tab that has missed events from the polling tab requests the whole state from it', async () => {
    const browser = newBrowser();
    const first = await started({ browser, environment: { locks } });
    const { server } = first;
    let deaf = false;
    const second = await eg({
      server,
      browser,
      environment: {
        locks,
        openChannel: (name) =>
          interceptedChannel(name, browser, (event) => {
            if (deaf) event.stopImmediatePropagation();
          }),
      },
    });
    second.model.start();
    await ready(second.model);

    deaf = true;
    await server.send(ken, general.stream_id, '一');
    await vi.waitFor(() => expect(shown(first.model, general.stream_id).at(-1)).toBe('一'));
    await new Promise(setImmediate);
    deaf = false;
    await server.send(ken, general.stream_id, '二');
    await vi.waitFor(() => expect(shown(second.model, general.stream_id)).toEqual(['おはようございます', '一', '二']));
  });

  it('A new tab shows that it is reconnecting if the polling tab is', async () => {
    const browser = newBrowser();
    const { server, model: first } = await started({ browser, environment: { locks } });
    server.fail('GET /events', 'cut');
    await server.endPolls();
    await vi.waitFor(() => expect(selectConnection(first.state())).toBe('reconnecting'));
    const { model: second } = await eg({ server, browser, environment: { locks } });
    second.start();
    await ready(second);
    await vi.waitFor(() => expect(selectConnection(second.state())).toBe('reconnecting'));
  });

  it('When the polling tab disconnects, reconnects or is signed out, the other tabs show the same', async () => {
    const { first, second } = await two();
    const { server, clock } = first;
    const heard: string[] = [];
    second.model.watch(selectConnection, () => heard.push(selectConnection(second.model.state())));
    server.fail('GET /events', 'cut');
    await server.send(ken, general.stream_id, '一');
    await vi.waitFor(() => expect(heard).toEqual(['reconnecting']));
    await clock.pass(1000);
    await vi.waitFor(() => expect(heard).toEqual(['reconnecting', 'online']));
    server.signInAs(undefined);
    await clock.pass(1000);
    await vi.waitFor(() => expect(heard).toEqual(['reconnecting', 'online', 'signed-out']));
  });

  it('In a browser without locks, every tab polls for itself', async () => {
    const browser = newBrowser();
    const first = await started({ browser });
    const second = await eg({ server: first.server, browser });
    second.model.start();
    await ready(second.model);
    expect(first.server.polling()).toBe(2);
  });

  it('A tab ignores the tabs of another member in the same browser', async () => {
    const browser = newBrowser();
    const first = await started({ browser, environment: { locks } });
    const { server } = first;
    server.signInAs(ken);
    const second = await eg({ server, browser, member: ken, environment: { locks } });
    second.model.start();
    await ready(second.model);
    expect(selectMe(second.model.state())?.userId).toBe(ken.user_id);
    expect(server.called('POST /register')).toHaveLength(2);
  });
});
