import type { Database } from '@engawa/chat-server/database';
import { refused } from '../http/errors.ts';
import { files } from './store.ts';

const mostUnsent = 1024 ** 3;

/** Only uploaders see unsent files, so a member could fill the disk unnoticed. */
export interface Quota {
  /** @returns releases the space once the file is stored or refused. @throws RefusedError if the quota is exceeded. */
  reserve(memberId: number, bytes: number): () => void;
}

export function createQuota(database: Database, maxFileSize: number): Quota {
  // One file of the maximum size always fits.
  const limit = Math.max(mostUnsent, maxFileSize);
  const incoming = new Map<number, number>();

  return {
    reserve(memberId, bytes) {
      const others = incoming.get(memberId) ?? 0;
      const unsent = files.unsentBytes(database.reader, memberId) ?? 0;
      if (unsent + others + bytes > limit) throw refused.tooMuchUnsent(limit);
      incoming.set(memberId, others + bytes);
      return () => {
        const rest = (incoming.get(memberId) ?? 0) - bytes;
        if (rest > 0) incoming.set(memberId, rest);
        else incoming.delete(memberId);
      };
    },
  };
}
