import { ApiError, MalformedAnswerError, NetworkError, RateLimitedError, ServerError } from '@engawa/client';

/** Why a command failed. The dictionary's `failures` has a text for each. */
export type Failure =
  | { readonly kind: 'network' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'server' }
  /** The product answers, but the chat server behind it does not. */
  | { readonly kind: 'chat-server-away' }
  /** The server cannot write: its disk is full or read-only. */
  | { readonly kind: 'storage' }
  /** Another program, such as a backup, holds the database lock. */
  | { readonly kind: 'locked' }
  /** The server has accepted the change but cannot store all of it yet; it becomes visible later. */
  | { readonly kind: 'to-be-completed' }
  | { readonly kind: 'not-ready' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'file-too-large'; readonly maxBytes: number }
  /** The browser cannot read the file: it was changed, moved or deleted since it was chosen, or its device is unreachable. */
  | { readonly kind: 'file-gone' }
  /** The member asked to change more messages than `most` at once; nothing was changed. */
  | { readonly kind: 'too-far'; readonly most: number }
  | { readonly kind: 'half-done'; readonly because: Failure }
  /** These users have forbidden that the member adds them. */
  | { readonly kind: 'not-wanted'; readonly userIds: readonly number[] }
  /** The administrator is not in these private streams, so that they can add nobody. */
  | { readonly kind: 'not-in-streams'; readonly streams: string }
  /** `streamId`: the id of the stream with this name, if the member is in it. */
  | { readonly kind: 'name-taken'; readonly streamId: number | undefined };

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`a file may have ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

export class FileGoneError extends Error {
  override readonly name = 'FileGoneError';
}

type KindOfCode = 'chat-server-away' | 'not-ready' | 'storage' | 'locked' | 'to-be-completed';

const kinds: Readonly<Record<string, KindOfCode | undefined>> = {
  CHAT_SERVER_UNAVAILABLE: 'chat-server-away',
  SEARCH_NOT_READY: 'not-ready',
  STORAGE_FULL: 'storage',
  STORAGE_READ_ONLY: 'storage',
  STORAGE_FAILING: 'storage',
  STORAGE_LOCKED: 'locked',
  TO_BE_COMPLETED: 'to-be-completed',
};

/** Classifies the error of a failed call. Any other error is a programming error and is thrown again. */
export function failureOf(error: unknown): Failure {
  if (error instanceof NetworkError) return { kind: 'network' };
  if (error instanceof ServerError) return { kind: kinds[error.code ?? ''] ?? 'server' };
  if (error instanceof MalformedAnswerError) return { kind: 'malformed' };
  if (error instanceof FileTooLargeError) return { kind: 'file-too-large', maxBytes: error.maxBytes };
  if (error instanceof FileGoneError) return { kind: 'file-gone' };
  if (error instanceof RateLimitedError) return { kind: 'busy', retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof ApiError && error.status === 401) return { kind: 'signed-out' };
  const unwanting = error instanceof ApiError && error.code === 'GROUP_NOT_WANTED' ? unwantingIn(error.data) : undefined;
  if (unwanting) return { kind: 'not-wanted', userIds: unwanting };
  const streams = error instanceof ApiError && error.code === 'STREAM_NOT_JOINED' ? error.data['streams'] : undefined;
  if (typeof streams === 'string') return { kind: 'not-in-streams', streams };
  if (error instanceof ApiError) return { kind: 'refused', code: error.code, message: error.message };
  throw error;
}

function unwantingIn({ user_ids: userIds }: ApiError['data']): readonly number[] | undefined {
  const named = Array.isArray(userIds) ? userIds.filter((id) => typeof id === 'number') : [];
  return named.length > 0 ? named : undefined;
}

export function isTemporary({ kind }: Failure): boolean {
  return kind === 'network' || kind === 'server' || kind === 'chat-server-away' || kind === 'storage' || kind === 'locked';
}

/** Whether the model retries by itself: temporary failures and rate limits. */
export function isRetried(failure: Failure): boolean {
  return isTemporary(failure) || failure.kind === 'busy';
}
