import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callBrowser } from '../../../test/callBrowser.ts';
import { callServer, joinedCall, kenHere, self } from '../../../test/callServer.ts';
import { newBrowser, newTab, stopAll } from '../../../test/example.ts';
import { ai, ken } from '../../../test/organisation.ts';
import { directOf } from '../streams/conversation.ts';
import type { CallCommands, CallKind } from './ownCall.ts';
import { selectCallElsewhere, selectOwnCall } from './state.ts';

const conversation = directOf([ai.user_id, ken.user_id]);
const leaveAddress = `http://engawa.example/api/calls/${joinedCall().call.id}/leave?participant=${self}`;

/** A tab of 田中 愛, whose code of calls is loaded. */
async function tab({ server = callServer(), browser = newBrowser(), log = vi.fn() } = {}) {
  const { model, clock, leave } = newTab({ fetch: server.fetch, browser, environment: { locks: navigator.locks, log } });
  onTestFinished(stopAll);
  const commands = await loaded(model.calls);
  const own = () => selectOwnCall(model.state());
  /** Resolves when the devices are granted or refused. */
  async function open(kind: CallKind = 'audio'): Promise<void> {
    commands.open(conversation, kind);
    await vi.waitFor(() => expect(own()?.phase).toBe('ready'));
  }
  return {
    model,
    clock,
    commands,
    server,
    log,
    leave,
    own,
    elsewhere: () => selectCallElsewhere(model.state()),
    open,
    async enter(kind?: CallKind) {
      await open(kind);
      await commands.join({});
    },
  };
}

/** A tab that is in a call, and another one of the same browser that shows it. */
async function twoTabs() {
  const browser = newBrowser();
  const other = await tab({ browser });
  const holder = await tab({ browser });
  await holder.enter();
  await vi.waitFor(() => expect(other.elsewhere()).toBe(conversation));
  return { holder, other };
}

async function loaded(calls: {
  use: (run: (commands: CallCommands) => CallCommands) => Promise<unknown>;
}): Promise<CallCommands> {
  let commands: CallCommands | undefined;
  await calls.use((part) => (commands = part));
  return commands ?? expect.unreachable('The code of calls is not loaded');
}

/** Lets messages between tabs and answers arrive that nothing in the state shows. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('A call of this tab', () => {
  it('[R2.10] leaves by a beacon and returns the devices when the model stops', async () => {
    const browser = callBrowser();
    const { model, own, enter } = await tab();
    await enter('video');
    expect(own()?.phase).toBe('inCall');
    await model.stop();
    expect(browser.beacons).toEqual([leaveAddress]);
    expect(browser.live()).toEqual([]);
    expect(browser.connections.map(({ connectionState }) => connectionState)).toEqual(['closed']);
    expect(browser.contexts).toEqual([{ isOpen: false }]);
    expect(own()).toBeUndefined();
  });

  it('[R2.10] returns devices that the browser grants only after the model has stopped', async () => {
    const browser = callBrowser();
    const { model, commands } = await tab();
    const granting = Promise.withResolvers<void>();
    browser.granting = granting.promise;
    commands.open(conversation, 'video');
    await model.stop();
    granting.resolve();
    await vi.waitFor(() => expect(browser.tracks).toHaveLength(2));
    await vi.waitFor(() => expect(browser.live()).toEqual([]));
  });

  it('[R2.10] ends as failed when the browser refuses the servers of its connections', async () => {
    const browser = callBrowser();
    const { server, commands, own, log, open } = await tab();
    await open();
    browser.refuses.servers = true;
    await commands.join({});
    expect(own()).toMatchObject({ phase: 'ended', ended: 'failed' });
    expect(log).toHaveBeenCalledWith('call_start_failed', expect.any(DOMException));
    expect(browser.beacons).toEqual([leaveAddress]);
    expect(browser.live()).toEqual([]);
    await settle();
    expect(server.named('GET /api/calls/:id/signals').length).toBeLessThanOrEqual(1);
  });

  it('[R2.10] closes its sound once, also if its end is dismissed', async () => {
    const browser = callBrowser();
    const { server, commands, own, log, enter } = await tab();
    await enter();
    server.signal({ kind: 'left', from: self, data: { reason: 'moved' } });
    await vi.waitFor(() => expect(own()?.ended).toBe('moved'));
    commands.leave();
    commands.open(conversation, 'audio');
    await settle();
    expect(browser.contexts).toEqual([{ isOpen: false }, { isOpen: true }]);
    expect(log).not.toHaveBeenCalled();
  });

  it('[R2.10] starts without a level meter if the browser cannot measure the microphone', async () => {
    const browser = callBrowser();
    browser.refuses.source = true;
    const { commands, own, log, open } = await tab();
    await open('video');
    expect(own()?.preview).toBeDefined();
    expect(log).toHaveBeenCalledWith('call_level_failed', expect.any(DOMException));
    commands.leave();
    expect(browser.live()).toEqual([]);
  });

  it('[R2.10] stops its screen for a newer one, and not when somebody else who shares is muted', async () => {
    callBrowser();
    const { server, commands, own, enter } = await tab();
    await enter();
    const become = async (state: Partial<typeof kenHere.state>) => {
      server.signal({ kind: 'state', from: kenHere.participant, data: { ...kenHere.state, ...state } });
      await settle();
    };
    await become({ screen: true });
    await commands.setScreen(true);
    await become({ screen: true, muted: true });
    expect(own()?.screen).toBe(true);
    await become({ screen: false });
    await become({ screen: true });
    expect(own()?.screen).toBe(false);
  });

  it('[R2.10] rings all who did not answer by one request', async () => {
    callBrowser();
    const { server, commands, enter } = await tab();
    await enter();
    await commands.ring([ken.user_id, 999]);
    expect(server.named('POST /api/calls/:id/ring').map(({ body }) => body)).toEqual([
      { participant: self, user_ids: [ken.user_id, 999] },
    ]);
  });

  it('[R2.10] keeps the camera of a member whose microphone was unplugged, and takes another microphone', async () => {
    const browser = callBrowser();
    const { commands, own, enter } = await tab();
    await enter('video');
    browser.present.delete('microphone');
    browser.tracks[0]?.unplug();
    await vi.waitFor(() => expect(own()?.deviceLost).toEqual({ lost: 'microphone 1', now: undefined }));
    expect(own()).toMatchObject({ camera: true, listensOnly: false, participants: [{ isSelf: true, listenOnly: true }, {}] });
    browser.present.add('microphone');
    await commands.choose('microphone', 'another');
    expect(own()).toMatchObject({ problems: [], participants: [{ isSelf: true, listenOnly: false }, {}] });
  });

  it('[R2.10] is left if it is cancelled while the server answers', async () => {
    const { beacons, connections } = callBrowser();
    const { server, commands, own, open } = await tab();
    const answering = Promise.withResolvers<Response>();
    server.answer('POST /api/calls/:id/join', () => answering.promise);
    await open();
    const joining = commands.join({});
    await vi.waitFor(() => expect(server.named('POST /api/calls/:id/join')).toHaveLength(1));
    commands.leave();
    answering.resolve(Response.json(joinedCall()));
    await joining;
    expect(beacons).toEqual([leaveAddress]);
    expect(connections.map(({ connectionState }) => connectionState)).toEqual(['closed']);
    expect(own()).toBeUndefined();
  });

  it('[R2.10] does not take another camera when the member turned the unplugged one off', async () => {
    const browser = callBrowser();
    const { commands, own, enter } = await tab();
    await enter('video');
    const granting = Promise.withResolvers<void>();
    browser.granting = granting.promise;
    browser.tracks[1]?.unplug();
    await commands.setCamera(false);
    granting.resolve();
    await vi.waitFor(() => expect(browser.tracks).toHaveLength(3));
    await settle();
    expect(own()?.camera).toBe(false);
    expect(browser.live()).toEqual(['microphone 1']);
  });

  it('[R2.10] looks who speaks only while it lasts', async () => {
    callBrowser();
    const { clock, commands, enter } = await tab();
    expect(clock.waits()).not.toContain(250);
    await enter();
    await clock.pass(250);
    expect(clock.waits()).toContain(250);
    commands.leave();
    await clock.pass(250);
    expect(clock.waits()).not.toContain(250);
  });
});

describe('The tabs of a browser', () => {
  it('[R2.10] A call that is cancelled while it waits for the other tabs does not start, and another tab may start one', async () => {
    callBrowser();
    const browser = newBrowser();
    const first = await tab({ browser });
    const second = await tab({ browser });
    await first.open();
    const joining = first.commands.join({});
    first.commands.leave();
    await joining;
    expect(first.server.named('POST /api/calls/:id/join')).toEqual([]);
    await second.enter();
    expect(second.own()?.phase).toBe('inCall');
  });

  it.each(['stops', 'crashes'])('[R2.10] The other tabs no longer show a call when the tab that held it %s', async (how) => {
    callBrowser();
    const { holder, other } = await twoTabs();
    if (how === 'stops') await holder.model.stop();
    // The browser frees the locks of a crashed tab. A stolen lock that is freed looks the same to the others.
    else await navigator.locks.request(`engawa-call ${ai.user_id}`, { steal: true }, () => undefined);
    await vi.waitFor(() => expect(other.elsewhere()).toBeUndefined());
  });

  it('[R2.10] A tab that took the call from another tab does not show it as elsewhere after its end', async () => {
    callBrowser();
    const { holder: first, other: second } = await twoTabs();
    await second.open();
    await second.commands.join({ move: true });
    await vi.waitFor(() => expect(first.own()?.ended).toBe('moved'));
    await vi.waitFor(() => expect(first.elsewhere()).toBe(conversation));
    second.commands.leave();
    await vi.waitFor(() => expect(first.elsewhere()).toBeUndefined());
    expect(second.elsewhere()).toBeUndefined();
  });

  it('[R2.10] Without locks, a closed page tells the other tabs that it holds no call', async () => {
    const { beacons } = callBrowser();
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    const { holder, other } = await twoTabs();
    holder.leave();
    await vi.waitFor(() => expect(other.elsewhere()).toBeUndefined());
    expect(beacons).toEqual([leaveAddress]);
  });
});
