/** Sends the outbox: one message at a time per conversation, in order. */
import { getMessages, sendMessage, TimeoutError, type Connection } from '@engawa/client';
import { ownClient } from '@engawa/markup';
import { type FileMessage, type Message } from '@engawa/protocol';
import { paths, type Session } from '@engawa/protocol/product';
import { initialMessages } from '../constants.ts';
import { addressedTo, isDirect, narrowTo, type ConversationKey } from '../streams/conversation.ts';
import { FileGoneError, FileTooLargeError, goesOn, type Failure } from '../connection/failure.ts';
import { generateStoredName } from './generate.ts';
import type { OutboxStorage } from './outboxStorage.ts';
import { contentOf, isToSend, mayBe, nameOf, take, type Outgoing } from './outgoing.ts';
import type { OutboxEnvironment } from './environment.ts';
import { attempted, delivered, progressed, sendFailed, uploaded } from './changes.ts';
import type { Retry } from '../connection/retry.ts';
import type { Store } from '../store.ts';
import { untilStill } from './untilStill.ts';
import type { OutboxState } from './state.ts';

export interface Sender {
  /** Sends the waiting messages of a conversation, unless that is under way. */
  run(conversation: ConversationKey): void;
  /** Aborts the upload of a message's file, if there is one. */
  breakOff(localKey: string): void;
}

export interface SenderDependencies {
  readonly connection: Connection;
  readonly store: Store<OutboxState>;
  readonly session: Session;
  readonly environment: OutboxEnvironment;
  readonly retry: Retry;
  readonly storage: OutboxStorage;
  readonly stop: AbortSignal;
}

/** Seconds for which a server recognises a repeated message. Ours does so for one day longer. */
const knownAgain = 6 * 86_400;
/** Seconds in which a message is usually sent. A message that waited longer may have missed events. */
const atOnce = 5;
/**
 * Milliseconds without progress after which an upload counts as stuck. After the last byte a proxy may still forward the file
 * without reporting progress.
 * @param moved 0 to 1.
 */
const uploadPatience = (moved: number) => (moved < 1 ? 60_000 : 600_000);

/** The member no longer has the stream. */
const noSuchStream: Failure = { kind: 'refused', code: 'STREAM_DOES_NOT_EXIST', message: '' };

export function createSender({ connection, store, session, environment, retry, storage, stop }: SenderDependencies): Sender {
  const running = new Set<ConversationKey>();
  const uploads = createUploads({ connection, store, session, environment, storage, stop });
  const remembersClientIds = session.extensions.includes('client_message_id');

  async function sendAll(conversation: ConversationKey): Promise<void> {
    running.add(conversation);
    try {
      while (!stop.aborted && next(conversation)) await deliver(conversation);
    } finally {
      running.delete(conversation);
    }
  }

  function next(conversation: ConversationKey): Outgoing | undefined {
    return store.state().outbox.find((outgoing) => outgoing.conversation === conversation && isToSend(outgoing));
  }

  /** Sends the first message of a conversation. Another tab may have sent it meanwhile. */
  async function deliver(conversation: ConversationKey): Promise<void> {
    let localKey = '';
    await retry.until(
      () =>
        storage.inTurn(conversation, async () => {
          const first = next(conversation);
          if (!first) return;
          ({ localKey } = first);
          const messageId = await attempt(localKey);
          if (messageId !== undefined) store.update((state) => delivered(state, localKey, messageId));
        }),
      (failure) => {
        store.update((state) => sendFailed(state, localKey, failure));
        return goesOn(failure);
      },
    );
  }

  /** The message's id; undefined if it was delivered or discarded meanwhile. */
  async function attempt(localKey: string): Promise<number | undefined> {
    const outgoing = take(store.state().outbox, localKey);
    if (!outgoing) return undefined;
    const { conversation } = outgoing;
    if (!isDirect(conversation) && !store.state().subscriptions?.has(conversation)) {
      store.update((state) => sendFailed(state, localKey, noSuchStream));
      return undefined;
    }
    store.update((state) => attempted(state, localKey));
    if (outgoing.file && !outgoing.fileMessage) {
      const fileMessage = await uploads.start(localKey, outgoing.file);
      // Discarded meanwhile: the uploaded bytes belong to no message.
      if (!fileMessage || !take(store.state().outbox, localKey)) return undefined;
      store.update((state) => uploaded(state, localKey, fileMessage));
      return post({ ...outgoing, fileMessage });
    }
    const isKnownAgain = remembersClientIds && environment.clock.now() / 1000 - outgoing.timestamp < knownAgain;
    const earlier = outgoing.afterId === undefined || isKnownAgain ? undefined : await findEarlier(outgoing);
    // Another tab that continues has to know that the message may have arrived.
    if (!remembersClientIds) await storage.written();
    return earlier?.id ?? post(outgoing);
  }

  async function post(outgoing: Outgoing): Promise<number> {
    const { localKey, conversation } = outgoing;
    const { cursor } = store.state();
    const hasWaited = environment.clock.now() / 1000 - outgoing.timestamp > atOnce;
    const { id } = await sendMessage(
      connection,
      {
        ...addressedTo(store.state(), conversation, hasWaited),
        content: contentOf(outgoing),
        local_id: localKey,
        client: ownClient,
        ...(cursor ? { queue_id: cursor.queueId } : {}),
        ...(remembersClientIds ? { client_message_id: localKey } : {}),
      },
      { signal: stop },
    );
    return id;
  }

  /** If the server does not recognise repeats, looks for the result of an earlier attempt. */
  async function findEarlier(outgoing: Outgoing): Promise<Message | undefined> {
    const { memberId } = store.state();
    const { messages } = await getMessages(
      connection,
      {
        anchor: 'newest',
        num_before: initialMessages,
        num_after: 0,
        apply_markdown: false,
        client_gravatar: false,
        narrow: [narrowTo(store.state(), outgoing.conversation), { operator: 'sender', operand: session.member?.email ?? '' }],
      },
      { signal: stop },
    );
    return messages.find((message) => message.sender_id === memberId && mayBe(outgoing, message));
  }

  return {
    run(conversation) {
      // Before the first register the stream's name is unknown.
      if (store.state().subscriptions && !running.has(conversation)) void sendAll(conversation);
    },
    breakOff: uploads.breakOff,
  };
}

type UploadsDependencies = Omit<SenderDependencies, 'retry'>;

/** The uploads of files of outgoing messages. One without progress is aborted and fails. */
function createUploads({ connection, store, session, environment, storage, stop }: UploadsDependencies) {
  /** By local key. */
  const underWay = new Map<string, AbortController>();

  /** Undefined if the upload was aborted. */
  async function start(localKey: string, file: File): Promise<FileMessage | undefined> {
    if (file.size > session.max_file_size) throw new FileTooLargeError(session.max_file_size);
    const name = nameOf(file);
    // A new name per attempt: the last one may be taken by an upload whose answer was lost.
    const storedName = generateStoredName(name);
    let moved = 0;
    const onProgress = (fraction: number) => {
      moved = fraction;
      store.update((state) => progressed(state, localKey, fraction));
    };
    const url = environment.site + paths.upload;
    const { headers } = connection;
    const giveUp = new AbortController();
    const over = new AbortController();
    const silent = new AbortController();
    void untilStill(environment.clock, () => moved, uploadPatience, over.signal).then(() =>
      silent.abort(new TimeoutError('POST upload', uploadPatience(moved))),
    );
    const signal = AbortSignal.any([stop, giveUp.signal, silent.signal]);
    underWay.set(localKey, giveUp);
    try {
      const chosen = await asChosen(localKey, file);
      signal.throwIfAborted();
      await environment.upload({ url, headers, file: chosen, name, storedName, onProgress, signal });
    } catch (error) {
      if (giveUp.signal.aborted) return undefined;
      throw error;
    } finally {
      over.abort();
      underWay.delete(localKey);
    }
    return { name, storedName, size: file.size };
  }

  /**
   * The file as it was when it was chosen. Some browsers send the current bytes of a file that was changed since; the disk has a
   * copy.
   */
  async function asChosen(localKey: string, file: File): Promise<File> {
    if (await isReadable(file)) return file;
    const copy = await storage.fileOf(localKey);
    if (copy && (await isReadable(copy))) return copy;
    throw new FileGoneError();
  }

  return { start, breakOff: (localKey: string) => underWay.get(localKey)?.abort() };
}

/** A browser refuses to read a file that was changed since it was chosen. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
