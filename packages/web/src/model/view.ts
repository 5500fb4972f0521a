/** What the screens see of the model: values to read by key, and commands. Nothing here knows React. */
import type { FileMessage } from '@engawa/protocol';
import type { DepartmentNode, Session } from '@engawa/protocol/product';

/** Why something could not be done, in the words of the dictionary's `failures`. */
export type Failure =
  | { readonly kind: 'network' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'server' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'file-too-large'; readonly maxBytes: number };

/**
 * `starting` until the first register; `reconnecting` while the network or the server is away; `broken` after a mistake
 * of ours, when nothing new is heard until the page is loaded again.
 */
export type Connection = 'starting' | 'online' | 'reconnecting' | 'signed-out' | 'broken';

export interface Me {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly avatarUrl: string | undefined;
}

export interface Preview {
  readonly kind: 'text' | 'file' | 'deleted';
  readonly senderFullName: string;
  /** The text, or the file's name; empty when deleted. */
  readonly text: string;
}

/** R3.1 */
export interface StreamView {
  readonly streamId: number;
  readonly name: string;
  readonly description: string;
  readonly profile: string | undefined;
  readonly subscribers: readonly number[];
  readonly unReadCount: number;
  readonly message: Preview | undefined;
  /** Unix seconds of the newest message. */
  readonly time: number | undefined;
}

/** A message's number, or the local mark of one that is still on its way. */
export type MessageKey = number | string;

/** R3.2 */
export interface MessageView {
  readonly key: MessageKey;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly avatarUrl: string | undefined;
  /** As typed; empty when deleted. */
  readonly content: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Shown where it is not the screens' own `stream events`. */
  readonly topic: string;
  readonly align: 'left' | 'right';
  readonly deleted: boolean;
  readonly edited: boolean;
  readonly msgType: 'text' | 'file';
  readonly file: FileMessage | undefined;
  readonly state: 'sent' | 'sending' | 'failed';
  /** 0 to 1 while a file is on its way. */
  readonly progress: number | undefined;
  readonly failure: Failure | undefined;
}

/** The messages of a stream as they stand under each other, oldest first, what is on its way last. */
export interface Timeline {
  readonly keys: readonly MessageKey[];
  /** `failed` only when nothing at all could be loaded. */
  readonly status: 'loading' | 'ready' | 'failed';
  readonly failure: Failure | undefined;
  readonly loadingOlder: boolean;
  /** The first message of the stream is in `keys`. */
  readonly foundOldest: boolean;
  /** Where reading began: the divider stands above it, and stays until the stream is left. */
  readonly firstUnread: number | undefined;
}

/** What a listener hears changes of. */
export type Key =
  | 'connection'
  | 'me'
  | 'departments'
  | 'departmentsFailure'
  | 'streams'
  | 'current'
  | 'totalUnread'
  | `stream:${number}`
  | `timeline:${number}`
  | `message:${MessageKey}`;

export interface Model {
  /** Called after each change of what the key names; returns how to stop. */
  subscribe(key: Key, listener: () => void): () => void;

  // Reading. Each returns the same object until what it names has changed.
  connection(): Connection;
  me(): Me | undefined;
  departments(): readonly DepartmentNode[] | undefined;
  /** Why they are not there yet. */
  departmentsFailure(): Failure | undefined;
  /** Stream ids, the one with the newest message first. */
  streams(): readonly number[] | undefined;
  stream(streamId: number): StreamView | undefined;
  /** The stream that is open. */
  current(): number | undefined;
  totalUnread(): number;
  timeline(streamId: number): Timeline | undefined;
  message(key: MessageKey): MessageView | undefined;
  session(): Session;

  // Commands.
  /** Registers, loads streams and departments, opens the first stream (or `streamId`), and keeps up from then on. */
  start(streamId?: number): void;
  /** Lets go of the queue and every listener. */
  stop(): Promise<void>;
  /** The browser's session is no longer the member's: nothing more is asked, and what is on the screen stays. */
  signOut(): void;
  open(streamId: number): void;
  /** R2.5: the stream of a department that the member may read, or undefined. */
  streamOf(department: DepartmentNode): number | undefined;
  /** Tries at once again to load them. */
  reloadDepartments(): void;
  loadOlder(streamId: number): void;
  /** Loads again what failed. */
  reload(streamId: number): void;
  /** Text and file go as two messages, text first (R2.13). Returns at once; the timeline shows how they fare. */
  send(streamId: number, draft: { readonly text: string; readonly file: File | undefined }): void;
  retry(localKey: string): void;
  /** Takes back what could not be sent; returns its text and file so that nothing is lost. */
  discard(localKey: string): { readonly text: string; readonly file: File | undefined } | undefined;
  /** The reader sees the newest messages of the current stream: window focused, list at the end. */
  markRead(streamId: number): void;
  /** Where a file message's bytes are. */
  fileAddress(message: MessageView): string | undefined;
}
