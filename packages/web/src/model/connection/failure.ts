import { ApiError, MalformedAnswerError, NetworkError, RateLimitedError, ServerError } from '@engawa/client';

/** Why something could not be done, in the words of the dictionary's `failures`. */
export type Failure =
  | { readonly kind: 'network' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'server' }
  /** The server can keep nothing: its disk is full, or not to be written. */
  | { readonly kind: 'storage' }
  /** For now another program, a backup for one, holds what the server keeps. */
  | { readonly kind: 'locked' }
  /** It is decided, and seen once the server can keep it. */
  | { readonly kind: 'to-be-completed' }
  /** The server still reads what was said, for the search. */
  | { readonly kind: 'not-ready' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'file-too-large'; readonly maxBytes: number }
  /** The browser cannot read the file: since it was chosen it was saved again, moved or deleted, or its place is out of reach. */
  | { readonly kind: 'file-gone' }
  /** More messages than the product goes through at once; nothing has changed. */
  | { readonly kind: 'too-far'; readonly most: number }
  /** Some of it has been done. */
  | { readonly kind: 'half-done'; readonly because: Failure }
  /** These members do not want to be added by the member. */
  | { readonly kind: 'not-wanted'; readonly userIds: readonly number[] }
  /** `streamId` is the stream that has the name, where it is one of the member's own. */
  | { readonly kind: 'name-taken'; readonly streamId: number | undefined };

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`a file may have ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The browser cannot read the file: since it was chosen it was saved again, moved or deleted, or its place is out of reach. */
export class FileGoneError extends Error {
  override readonly name = 'FileGoneError';
}

/** What the server says of itself. */
const kinds: Readonly<Record<string, 'not-ready' | 'storage' | 'locked' | 'to-be-completed' | undefined>> = {
  SEARCH_NOT_READY: 'not-ready',
  STORAGE_FULL: 'storage',
  STORAGE_READ_ONLY: 'storage',
  STORAGE_FAILING: 'storage',
  STORAGE_LOCKED: 'locked',
  TO_BE_COMPLETED: 'to-be-completed',
};

/** What went wrong, for the person. An error that no call makes is a mistake of ours and is thrown again. */
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
  if (error instanceof ApiError) return { kind: 'refused', code: error.code, message: error.message };
  throw error;
}

/** Whom a refusal names; undefined where it names nobody. */
function unwantingIn({ user_ids: userIds }: ApiError['data']): readonly number[] | undefined {
  const named = Array.isArray(userIds) ? userIds.filter((id) => typeof id === 'number') : [];
  return named.length > 0 ? named : undefined;
}

/** Whether the same may well succeed a little later, without anybody doing anything. */
export function passes({ kind }: Failure): boolean {
  return kind === 'network' || kind === 'server' || kind === 'storage' || kind === 'locked';
}

/** Whether trying again is left to nobody: what passes, and what the server asks to be spared for a while. */
export function goesOn(failure: Failure): boolean {
  return passes(failure) || failure.kind === 'busy';
}
