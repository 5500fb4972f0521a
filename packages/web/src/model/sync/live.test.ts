import { callPaths, type CallList } from '@engawa/protocol/calls';
import type { LiveEvent } from '@engawa/protocol/live';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chatServer } from '../../../test/chatServer.ts';
import { eg, newBrowser, ready, started, stopAll, type Example } from '../../../test/example.ts';
import { exampleCallState } from '../../../test/exampleCall.ts';
import { general } from '../../../test/organisation.ts';
import { selectRinging } from '../calls/selectors.ts';
import { pollDelay } from '../constants.ts';
import type { Model } from '../model.ts';

afterEach(stopAll);

const { locks } = navigator;
const without = ['client_message_id'] as const;

const putAway = (value: boolean): LiveEvent => ({
  type: 'subscription',
  op: 'update',
  stream_id: general.stream_id,
  property: 'put_away',
  value,
});
const isPutAway = (model: Model) => model.state().subscriptions?.get(general.stream_id)?.put_away === true;
const queueOf = (model: Model) => model.state().cursor?.queueId;
const polls = ({ server }: Example) => server.called('GET /api/live').length;
const registrations = ({ server }: Example) => server.called('POST /register').length;

/** The client waits for a second after a poll without events. */
async function registeredAgain(example: Example): Promise<void> {
  const { clock } = example;
  await vi.waitFor(async () => {
    if (clock.waits().includes(pollDelay)) await clock.pass(pollDelay);
    expect(registrations(example)).toBe(2);
  });
}

async function twoTabs() {
  const browser = newBrowser();
  const first = await started({ browser, capabilities: without, environment: { locks } });
  const second = await eg({ server: first.server, browser, capabilities: without, environment: { locks } });
  second.model.start();
  await ready(second.model);
  return { first, second };
}

describe('The live channel', () => {
  it('[R7.8] The events of the product reach the state by its live channel, with one registration', async () => {
    const example = await started({ capabilities: without });
    const { server, model } = example;
    server.live.publish(putAway(true));
    await vi.waitFor(() => expect(isPutAway(model)).toBe(true));
    server.live.publish(putAway(false));
    await vi.waitFor(() => expect(isPutAway(model)).toBe(false));
    expect(registrations(example)).toBe(1);
  });

  it('[R7.8] A client opens no live channel if the event queue of the chat server carries the events', async () => {
    expect(polls(await started({ capabilities: ['call_events'] }))).toBe(0);
  });

  it('[R7.8] An event that arrives while the client registers is not lost', async () => {
    const server = await chatServer();
    server.fail('POST /register', 'late');
    const example = await eg({ server, capabilities: without });
    example.model.start();
    await vi.waitFor(() => expect(registrations(example)).toBe(1));
    server.live.publish(putAway(true));
    await vi.waitFor(() => expect(polls(example)).toBe(3));
    server.release();
    await ready(example.model);
    expect(isPutAway(example.model)).toBe(true);
  });

  it('[R7.8] After a restart of the product, the client registers again to get what it has missed', async () => {
    const example = await started({ capabilities: without });
    const { server, model } = example;
    server.live.restart();
    await vi.waitFor(() => expect(server.called('DELETE /events')).toHaveLength(1));
    await registeredAgain(example);
    server.live.publish(putAway(true));
    await vi.waitFor(() => expect(isPutAway(model)).toBe(true));
  });

  it('[R7.8] An event that arrives in two tabs while the client registers again is not lost', async () => {
    const { first, second } = await twoTabs();
    const { server, model } = first;
    const before = queueOf(model);
    server.fail('POST /register', 'late');
    server.live.restart();
    await vi.waitFor(() => expect(server.called('DELETE /events')).toHaveLength(1));
    await registeredAgain(first);
    server.live.publish(putAway(true));
    await vi.waitFor(() => expect(isPutAway(second.model)).toBe(true));
    server.release();
    for (const tab of [model, second.model]) {
      await vi.waitFor(() => expect(queueOf(tab)).not.toBe(before));
      await vi.waitFor(() => expect(isPutAway(tab)).toBe(true));
    }
  });

  it('[R7.8] A client that cannot open the live channel is online without it, and registers again once it is open', async () => {
    const server = await chatServer();
    server.fail('GET /api/live', 'cut', 'hold');
    const example = await eg({ server, capabilities: without });
    example.model.start();
    await ready(example.model);
    expect(registrations(example)).toBe(1);
    server.release();
    await vi.waitFor(() => expect(server.called('DELETE /events')).toHaveLength(1));
    await registeredAgain(example);
  });

  it('[R7.8] A poll that was silently cut by a sleeping machine is replaced when the machine wakes', async () => {
    const example = await started({ capabilities: without });
    const before = polls(example);
    example.wake();
    await vi.waitFor(() => expect(polls(example)).toBe(before + 1));
    example.server.live.publish(putAway(true));
    await vi.waitFor(() => expect(isPutAway(example.model)).toBe(true));
    expect(registrations(example)).toBe(1);
  });

  it('[R7.8] A client ends its live channel when the session has ended', async () => {
    const example = await started({ capabilities: without });
    example.server.signInAs(undefined);
    example.wake();
    await vi.waitFor(() => expect(example.model.state().connection).toBe('signed-out'));
  });
});

describe('[R4.4] The live channel in several tabs', () => {
  it('[R7.8] One tab polls the live channel, and all tabs get its events', async () => {
    const { first, second } = await twoTabs();
    await vi.waitFor(() => expect(polls(first)).toBe(2));
    first.server.live.publish(putAway(true));
    await vi.waitFor(() => expect([first, second].every(({ model }) => isPutAway(model))).toBe(true));
    expect(polls(first)).toBe(3);
  });

  it.each([false, true])(
    '[R7.8] A tab that begins to poll goes on where the last one was, also if there was an event before: %s',
    async (isAfterEvent) => {
      const { first, second } = await twoTabs();
      const { server } = first;
      const positions = () => server.called('GET /api/live').map(({ parameters }) => parameters['after']);
      if (isAfterEvent) server.live.publish(putAway(true));
      await vi.waitFor(() => expect(isPutAway(second.model)).toBe(isAfterEvent));
      const position = isAfterEvent ? '1.1' : '1.0';
      await vi.waitFor(() => expect(positions().at(-1)).toBe(position));
      const before = positions().length;
      await first.model.stop();
      await vi.waitFor(() => expect(positions().slice(before)).toEqual([position]));
      server.live.publish(putAway(!isAfterEvent));
      await vi.waitFor(() => expect(isPutAway(second.model)).toBe(!isAfterEvent));
      expect(server.called('DELETE /events')).toEqual([]);
    },
  );

  it('[R7.8] A call rings in all tabs by the live channel', async () => {
    const { first, second } = await twoTabs();
    const list: CallList = { calls: [], engines: [{ engine: 'mesh', participants: 8, cameras: 6 }], ring_members: 10 };
    first.server.respond(`GET ${callPaths.calls}`, () => Response.json(list));
    first.server.live.publish({ type: 'call', call: exampleCallState() });
    for (const { model } of [first, second]) await vi.waitFor(() => expect(selectRinging(model.state())).toBeDefined());
  });
});
