import type { Capability } from '@engawa/protocol/product';
import { exchange, readReply, type Fetch } from '@engawa/client';
import { fakeClock, type FakeClock } from '@engawa/client/testing';
import type { User } from '@engawa/protocol';
import { expect, vi } from 'vitest';
import type { ConversationKey } from '../src/model/streams/conversation.ts';
import type { Model } from '../src/model/model.ts';
import { createSignal } from '../src/model/signal.ts';
import { createModel } from '../src/model/createModel.ts';
import type { OutboxEnvironment } from '../src/model/outbox/environment.ts';
import { pictureIn, uploadForm } from '../src/model/outbox/uploadByXHR.ts';
import type { MessageKey } from '../src/model/timeline/message.ts';
import { chatServer, type ChatServer } from './chatServer.ts';
import { ai, general, ken, lunch, sessionOf } from './organisation.ts';
import { selectCurrent } from '../src/model/timeline/state.ts';
import { selectMessage, selectTimeline } from '../src/model/outbox/selectors.ts';

export interface Example {
  readonly server: ChatServer;
  readonly clock: FakeClock;
  readonly model: Model;
  /** Fires `online`, after which the model retries. */
  wake(): void;
  /** Fires `pagehide`, as when the member leaves the page. */
  leave(): void;
}

export interface ExampleOptions {
  readonly server?: ChatServer;
  readonly member?: User;
  readonly capabilities?: readonly Capability[];
  /** Tabs with the same number share a browser. */
  readonly browser?: number;
  readonly environment?: Partial<OutboxEnvironment>;
}

const models: Model[] = [];
let browsers = 0;

export async function stopAll(): Promise<void> {
  await Promise.all(models.splice(0).map((model) => model.stop()));
}

export function newBrowser(): number {
  browsers += 1;
  return browsers;
}

interface TabOptions extends Omit<ExampleOptions, 'server'> {
  readonly fetch?: Fetch;
  readonly clock?: FakeClock;
}

/** A tab with the model of a member, before its start. Without `fetch` it is offline. */
export function newTab({
  fetch = () => Promise.reject(new TypeError('fetch failed')),
  clock = fakeClock(),
  member = ai,
  capabilities = ['client_message_id', 'call_events'],
  browser = newBrowser(),
  environment,
}: TabOptions = {}): Omit<Example, 'server'> {
  const wakes = createSignal();
  const leaves = createSignal();
  const model = createModel({
    session: sessionOf(member, capabilities),
    environment: {
      site: 'http://engawa.example',
      fetch,
      async upload({ url, headers, file, name, storedName, onProgress, signal }) {
        onProgress(0.5);
        const init = { method: 'POST', headers, body: uploadForm(file, name, storedName) };
        return pictureIn(
          readReply(await exchange({ call: 'POST upload', url, init, fetch, clock, signal, timeoutMilliseconds: Infinity })),
        );
      },
      clock,
      random: () => 1,
      locks: undefined,
      openChannel: (name) => new BroadcastChannel(`${name} of browser ${browser}`),
      storage: undefined,
      sharedStorage: undefined,
      onOtherTab: () => () => {},
      openOutbox: undefined,
      onWake: wakes.subscribe,
      onLeave: leaves.subscribe,
      onceDrawn: (then) => then(),
      log: () => {},
      ...environment,
    },
  });
  models.push(model);
  return { clock, model, wake: wakes.emit, leave: leaves.emit };
}

/** A tab of 田中 愛, or of another member, on a new chat server. */
export async function eg({ server, ...options }: ExampleOptions = {}): Promise<Example> {
  const at = server ?? (await chatServer());
  return { server: at, ...newTab({ fetch: at.fetch, clock: fakeClock(at.clock.now()), ...options }) };
}

/** A started model with a message in two of its three streams. */
export async function started(options: ExampleOptions = {}): Promise<Example> {
  const example = await eg(options);
  await example.server.send(ken, lunch.stream_id, 'お昼どうしますか');
  await example.server.send(ken, general.stream_id, 'おはようございます');
  example.model.start();
  await ready(example.model);
  return example;
}

/** Resolves when the messages of the open stream are loaded. */
export function ready(model: Model): Promise<void> {
  return vi.waitFor(() => {
    const current = selectCurrent(model.state());
    expect(current !== undefined && selectTimeline(model.state(), current)?.status).toBe('ready');
  });
}

export function shown(model: Model, conversation: ConversationKey): readonly (string | undefined)[] {
  return (selectTimeline(model.state(), conversation)?.keys ?? []).map((key) => selectMessage(model.state(), key)?.content);
}

/** The rows of a conversation as state and text, for example `sending 了解です`. */
export function rows(model: Model, conversation: ConversationKey): readonly string[] {
  const keys = selectTimeline(model.state(), conversation)?.keys ?? [];
  return keys.map((key) => `${selectMessage(model.state(), key)?.state} ${selectMessage(model.state(), key)?.content}`);
}

/** The key of the one row with this content. */
export function only(model: Model, conversation: ConversationKey, content: string): MessageKey {
  const keys = (selectTimeline(model.state(), conversation)?.keys ?? []).filter(
    (key) => selectMessage(model.state(), key)?.content === content,
  );
  expect(keys).toHaveLength(1);
  return keys[0] ?? '';
}
