import type { Database } from '@engawa/chat-server/database';
import { refused } from '../http/errors.ts';
import { files } from './store.ts';

/** Bytes of a member's uploads that may be unsent at once. */
const mostUnsent = 1024 ** 3;

/** Nobody but their uploader sees unsent files, so that one member could fill the disk with them unnoticed. */
export interface Quota {
  /**
   * Sets room aside for a file that is about to arrive.
   * @returns gives the room back, once the file is known or given up.
   * @throws RefusedError when the member has no room left.
   */
  reserve(memberId: number, bytes: number): () => void;
}

export function createQuota(database: Database, maxFileSize: number): Quota {
  // One file of the allowed size always has room.
  const limit = Math.max(mostUnsent, maxFileSize);
  /** Bytes on their way, by member. */
  const incoming = new Map<number, number>();

  return {
    reserve(memberId, bytes) {
      const others = incoming.get(memberId) ?? 0;
      if (files.unsentBytes(database.reader, memberId) + others + bytes > limit) throw refused.tooMuchUnsent(limit);
      incoming.set(memberId, others + bytes);
      return () => {
        const rest = (incoming.get(memberId) ?? 0) - bytes;
        if (rest > 0) incoming.set(memberId, rest);
        else incoming.delete(memberId);
      };
    },
  };
}
