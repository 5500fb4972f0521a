/** Keeps the outbox on the disk, also when the browser is closed. All tabs share it. Loaded on demand. */
import { sleep } from '@engawa/client';
import { z } from 'zod/mini';
import type { ConversationKey } from '../streams/conversation.ts';
import type { OutboxDependencies } from './environment.ts';
import { mostEntries, type Entry, type OutboxDisk } from './outboxDisk.ts';
import { change, firstToSend, isToSend, take, type Outgoing } from './outgoing.ts';
import { entryOf, storedEntry, withEntries, type StoredEntry } from './storedEntry.ts';
import { Turns } from './turns.ts';

export { openDisk } from './outboxDisk.ts';

/** Milliseconds until other tabs read a change. Most messages are sent by then, which saves the read. */
const soon = 1000;
/** Largest sum of bytes of all stored files. The browser may allow less. */
const mostBytes = 512 * 1024 * 1024;

const tabMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed') }),
  z.object({ kind: z.literal('sending'), localKey: z.string(), begins: z.boolean() }),
]);

export class StoredOutbox {
  readonly #dependencies: OutboxDependencies;
  readonly #disk: OutboxDisk;
  readonly #send: (conversation: ConversationKey) => void;
  readonly #postMessage: (message: z.output<typeof tabMessage>) => void;
  readonly #turns: Turns;
  readonly #bytes = new Map<string, number>();
  /** Local keys of entries that could not be changed on the disk, so that the entry read from there is older than the state. */
  readonly #outdated = new Set<string>();
  readonly #progressReports = new Map<ConversationKey, number>();
  #written = Promise.resolve();
  #writes = 0;
  /** The highest `order` that was read. Entries that are added later have a higher one. */
  #lastOrder = 0;
  #isReadPending = false;

  constructor(dependencies: OutboxDependencies, disk: OutboxDisk, send: (conversation: ConversationKey) => void) {
    const { store, environment, session, stop } = dependencies;
    this.#dependencies = dependencies;
    this.#disk = disk;
    this.#send = send;
    const name = `engawa-outbox v1 member ${session.member?.user_id}`;
    this.#turns = new Turns(name, this, dependencies);
    const channel = environment.openChannel(name);
    this.#postMessage = channel.postMessage.bind(channel);
    channel.addEventListener('message', ({ data }) => this.#receive(data));
    const removeWake = environment.onWake(() => void this.#readAndSend());
    stop.addEventListener('abort', () => {
      removeWake();
      channel.close();
    });
    for (const row of store.state().outbox) if (row.state !== 'sent') this.add(row);
    void this.#readAndSend();
  }

  add(row: Outgoing): void {
    const { localKey, file } = row;
    const size = file?.size ?? 0;
    const stored = this.#bytes.values().reduce((sum, each) => sum + each, 0);
    if (this.#bytes.size >= mostEntries || stored + size > mostBytes) {
      this.#markStored(localKey, false);
      return;
    }
    this.#bytes.set(localKey, size);
    this.#write(localKey, async () => {
      await this.#disk.add(entryOf(row));
      this.#markStored(localKey, true);
    });
  }

  change(localKey: string, changes: Partial<Entry>): void {
    if (!this.#bytes.has(localKey)) return;
    this.#write(localKey, async () => {
      try {
        await this.#disk.change(localKey, changes);
      } catch (error) {
        await this.#disk.remove(localKey);
        throw error;
      }
    });
  }

  remove(localKey: string): void {
    if (this.#bytes.delete(localKey)) this.#write(localKey, () => this.#disk.remove(localKey));
  }

  removeEnded(): void {
    const { outbox } = this.#dependencies.store.state();
    for (const localKey of this.#bytes.keys()) if (!take(outbox, localKey)) this.remove(localKey);
  }

  /** Reports to other tabs that this tab begins or ends to send a message. */
  reportSending(localKey: string, begins: boolean): void {
    if (this.#bytes.has(localKey)) this.#post({ kind: 'sending', localKey, begins });
  }

  progressReports(conversation: ConversationKey): number {
    return this.#progressReports.get(conversation) ?? 0;
  }

  /** Runs `act` while no other tab sends in the conversation. Before that, reads the message that is sent first. */
  inTurn(conversation: ConversationKey, act: () => Promise<void>): Promise<void> {
    return this.#turns.take(conversation, act);
  }

  /** Resolves when all changes until now are on the disk, or have failed. */
  written(): Promise<void> {
    return this.#written;
  }

  fileOf(localKey: string): Promise<File | undefined> {
    return this.#logFailure(async () => (await this.#find(localKey))?.file);
  }

  /** Reads what other tabs have added, and the message of the conversation that is sent first. */
  async readFirst(conversation: ConversationKey): Promise<void> {
    const { store } = this.#dependencies;
    await this.#logFailure(async () => {
      this.#apply(await this.#read(() => this.#disk.read(this.#lastOrder)));
      let last: string | undefined;
      // If another tab has sent that message or the server refused it, the next one is first.
      for (;;) {
        const localKey = firstToSend(store.state().outbox, conversation)?.localKey;
        if (localKey === undefined || localKey === last || !this.#bytes.has(localKey)) return;
        const entry = await this.#find(localKey);
        // An entry that could not be written is no longer in `#bytes`: its message is sent without the disk.
        const isGone = !entry && this.#bytes.has(localKey);
        this.#apply(entry ? [entry] : [], isGone ? new Set([localKey]) : undefined);
        last = localKey;
      }
    });
  }

  async #readAndSend(): Promise<void> {
    const { store, stop } = this.#dependencies;
    await this.#logFailure(async () => {
      const found = await this.#read(() => this.#disk.read(0));
      this.#apply(found, new Set(this.#bytes.keys()).difference(new Set(found.map(({ localKey }) => localKey))));
    });
    if (stop.aborted) return;
    const rows = store.state().outbox.filter(isToSend);
    new Set(rows.map(({ conversation }) => conversation)).forEach(this.#send);
  }

  async #logFailure<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#dependencies.environment.log('outbox_read_failed', error);
      return undefined;
    }
  }

  async #find(localKey: string): Promise<StoredEntry | undefined> {
    const [entry] = await this.#read(async () => [await this.#disk.find(localKey)]);
    return entry;
  }

  async #read(read: () => Promise<readonly unknown[]>): Promise<readonly StoredEntry[]> {
    let writes: number;
    let found: readonly unknown[];
    // Reads again if a write began meanwhile, because the result may lack it.
    do {
      writes = this.#writes;
      await this.#written;
      found = await read();
    } while (writes !== this.#writes);
    return found
      .flatMap((each) => storedEntry.safeParse(each).data ?? [])
      .filter(({ localKey }) => !this.#outdated.has(localKey));
  }

  #apply(found: readonly StoredEntry[], gone: ReadonlySet<string> = new Set()): void {
    const { store, stop } = this.#dependencies;
    if (stop.aborted || found.length + gone.size === 0) return;
    const isFirstRead = this.#lastOrder === 0 && this.#bytes.size === 0;
    store.update((state) => withEntries(state, found, gone, isFirstRead));
    for (const localKey of gone) this.#bytes.delete(localKey);
    for (const { localKey, file, order } of found) {
      this.#bytes.set(localKey, file?.size ?? 0);
      this.#lastOrder = Math.max(this.#lastOrder, order);
    }
  }

  #write(localKey: string, act: () => Promise<void>): void {
    this.#writes += 1;
    // Starts without waiting for earlier writes, because the page may be closed before. The database keeps their order.
    const writing = act().then(
      () => this.#post({ kind: 'changed' }),
      (error: unknown) => {
        this.#bytes.delete(localKey);
        this.#outdated.add(localKey);
        this.#markStored(localKey, false);
        this.#dependencies.environment.log('outbox_write_failed', error);
      },
    );
    this.#written = Promise.all([this.#written, writing]).then(() => undefined);
  }

  #markStored(localKey: string, isStored: boolean): void {
    this.#dependencies.store.update((state) => ({ ...state, outbox: change(state.outbox, localKey, { isStored }) }));
  }

  #post(message: z.output<typeof tabMessage>): void {
    if (!this.#dependencies.stop.aborted) this.#postMessage(message);
  }

  #receive(data: unknown): void {
    const { store, stop } = this.#dependencies;
    const { data: message } = tabMessage.safeParse(data);
    if (!message || stop.aborted) return;
    if (message.kind === 'changed') {
      void this.#readSoon();
      return;
    }
    const { localKey, begins } = message;
    const row = take(store.state().outbox, localKey);
    if (row) this.#progressReports.set(row.conversation, this.progressReports(row.conversation) + 1);
    if (row?.state !== (begins ? 'waiting' : 'sending') && row?.state !== 'failed') return;
    const changes = begins ? ({ state: 'sending', failure: undefined } as const) : ({ state: 'waiting' } as const);
    store.update((state) => ({ ...state, outbox: change(state.outbox, localKey, changes) }));
  }

  async #readSoon(): Promise<void> {
    const { environment, stop } = this.#dependencies;
    if (this.#isReadPending) return;
    this.#isReadPending = true;
    await sleep(environment.clock, soon, stop);
    this.#isReadPending = false;
    if (!stop.aborted) await this.#readAndSend();
  }
}
