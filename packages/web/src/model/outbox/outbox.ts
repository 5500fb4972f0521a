/** Sends messages. Each is stored, sent and removed when it has arrived; a conversation sends one at a time, in order. */
import type { FileMessage } from '@engawa/protocol';
import { isRetried, type Failure } from '../connection/failure.ts';
import { isDirect, type ConversationKey } from '../streams/conversation.ts';
import { attempted, delivered, discarded, progressed, queued, retried, sendFailed, uploaded } from './changes.ts';
import { createMessage, findEarlier, mayBeRepeat } from './delivery.ts';
import { recognisesRepeats, type OutboxDependencies } from './environment.ts';
import { OutboxStorage } from './outboxStorage.ts';
import { firstToSend, isBeforeUpload, outgoing, refusalOf, take, type Outgoing } from './outgoing.ts';
import type { OutboxState } from './state.ts';
import { Uploads } from './upload.ts';

const noSuchStream: Failure = { kind: 'refused', code: 'STREAM_DOES_NOT_EXIST', message: '' };

export class Outbox {
  readonly #dependencies: OutboxDependencies;
  readonly #storage: OutboxStorage;
  readonly #uploads: Uploads;
  readonly #sending = new Set<ConversationKey>();

  constructor(dependencies: OutboxDependencies) {
    const { store, environment } = dependencies;
    this.#dependencies = dependencies;
    this.#storage = new OutboxStorage(dependencies, (conversation) => void this.send(conversation));
    this.#uploads = new Uploads(dependencies, async (localKey) => this.#storage.stored?.fileOf(localKey));
    store.watch(isRegistered, () => store.state().outbox.forEach(({ conversation }) => void this.send(conversation)));
    store.watch(isFirstScreenShown, () => environment.openOutbox && void this.#storage.open());
  }

  async add(conversation: ConversationKey, contents: readonly (string | File)[]): Promise<void> {
    const { store, environment } = this.#dependencies;
    const rows = contents.map((content) => outgoing(conversation, content, environment.clock.now()));
    store.update((state) => queued(state, rows));
    for (const row of rows) this.#storage.stored?.add(row);
    await this.send(conversation);
  }

  async send(conversation: ConversationKey): Promise<void> {
    const { store, stop } = this.#dependencies;
    // Before the first register, this tab does not know the stream's name that a message is addressed by.
    if (!isRegistered(store.state()) || this.#sending.has(conversation)) return;
    this.#sending.add(conversation);
    try {
      while (!stop.aborted && firstToSend(store.state().outbox, conversation)) await this.#sendFirst(conversation);
    } finally {
      this.#sending.delete(conversation);
    }
  }

  retry(localKey: string): void {
    const { store, retry } = this.#dependencies;
    const row = take(store.state().outbox, localKey);
    if (row?.state !== 'failed') return;
    store.update((state) => retried(state, localKey));
    if (refusalOf(row.failure)) this.#storage.stored?.change(localKey, { refusal: undefined });
    retry.wake();
    void this.send(row.conversation);
  }

  discard(localKey: string): Outgoing | undefined {
    const row = take(this.#dependencies.store.state().outbox, localKey);
    if (!row || row.state === 'sending' || row.state === 'sent') return undefined;
    this.#remove(localKey);
    return row;
  }

  /** Removes a file and aborts its upload. Undefined if the file is gone or the server is creating its message. */
  cancel(localKey: string): Outgoing | undefined {
    const row = take(this.#dependencies.store.state().outbox, localKey);
    if (!row || !isBeforeUpload(row)) return undefined;
    this.#remove(localKey);
    this.#uploads.abort(localKey);
    return row;
  }

  /** Removes messages from the disk that are no longer in the outbox, because events have confirmed or deleted them. */
  settle(): void {
    this.#storage.stored?.removeEnded();
  }

  clear(): void {
    this.#dependencies.store.update((state) => ({ ...state, outbox: [] }));
    this.settle();
  }

  async #sendFirst(conversation: ConversationKey): Promise<void> {
    const { store, retry } = this.#dependencies;
    let localKey = '';
    const sendInTurn = () =>
      this.#storage.inTurn(conversation, async () => {
        const row = firstToSend(store.state().outbox, conversation);
        if (!row) return;
        ({ localKey } = row);
        const messageId = await this.#attempt(row);
        if (messageId !== undefined) this.#confirm(localKey, messageId);
      });
    await retry.until(sendInTurn, (failure) => {
      this.#storage.stored?.reportSending(localKey, false);
      this.#fail(localKey, failure);
      return isRetried(failure);
    });
  }

  /** Returns the id of the message; undefined if the outgoing message was refused or discarded. */
  async #attempt(row: Outgoing): Promise<number | undefined> {
    const { store, session } = this.#dependencies;
    const { localKey, conversation, file } = row;
    if (!isDirect(conversation) && !store.state().subscriptions?.has(conversation)) {
      this.#fail(localKey, noSuchStream);
      return undefined;
    }
    this.#begin(row);
    if (file && !row.fileMessage) {
      const fileMessage = await this.#upload(localKey, file);
      return fileMessage && createMessage(this.#dependencies, { ...row, fileMessage });
    }
    const earlierId = mayBeRepeat(this.#dependencies, row) ? await findEarlier(this.#dependencies, row) : undefined;
    // Written first, because another tab that continues has to know that the message may have arrived.
    if (!recognisesRepeats(session)) await this.#storage.stored?.written();
    return earlierId ?? createMessage(this.#dependencies, row);
  }

  #begin({ localKey, afterId }: Outgoing): void {
    const { store } = this.#dependencies;
    store.update((state) => attempted(state, localKey));
    this.#storage.stored?.reportSending(localKey, true);
    if (afterId === undefined) this.#storage.stored?.change(localKey, { afterId: take(store.state().outbox, localKey)?.afterId });
  }

  /** Returns undefined if the message was discarded during the upload; the uploaded file is then not used. */
  async #upload(localKey: string, file: File): Promise<FileMessage | undefined> {
    const { store } = this.#dependencies;
    let reported = 0;
    const fileMessage = await this.#uploads.start(localKey, file, (fraction) => {
      store.update((state) => progressed(state, localKey, fraction));
      const percent = Math.floor(fraction * 100);
      if (percent === reported) return;
      reported = percent;
      this.#storage.stored?.reportSending(localKey, true);
    });
    if (!fileMessage || !take(store.state().outbox, localKey)) return undefined;
    store.update((state) => uploaded(state, localKey, fileMessage));
    this.#storage.stored?.reportSending(localKey, true);
    this.#storage.stored?.change(localKey, { fileMessage });
    return fileMessage;
  }

  #confirm(localKey: string, messageId: number): void {
    this.#dependencies.store.update((state) => delivered(state, localKey, messageId));
    this.#storage.stored?.remove(localKey);
  }

  #fail(localKey: string, failure: Failure): void {
    this.#dependencies.store.update((state) => sendFailed(state, localKey, failure));
    const refusal = refusalOf(failure);
    if (refusal) this.#storage.stored?.change(localKey, { refusal });
  }

  #remove(localKey: string): void {
    this.#dependencies.store.update((state) => discarded(state, localKey));
    this.#storage.stored?.remove(localKey);
  }
}

const isRegistered = ({ subscriptions }: OutboxState) => subscriptions !== undefined;

const isFirstScreenShown = (state: OutboxState) => state.settled && isRegistered(state);
