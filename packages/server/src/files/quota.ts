import type { Database } from '@engawa/chat-server/database';
import { refused } from '../http/errors.ts';
import { Tally } from '../http/tally.ts';
import { files } from './store.ts';

const mostUnsentBytes = 1024 ** 3;

/**
 * Only uploaders see unsent files, so a member could fill the disk unnoticed. The function reserves bytes for a member.
 * @returns releases the bytes once the file is stored or refused. @throws RefusedError if the quota is exceeded.
 */
export type ReserveBytes = (memberId: number, bytes: number) => () => void;

export function createQuota(database: Database, maxFileSize: number): ReserveBytes {
  // With a larger maximum for files the quota grows, so that one file of that size always fits.
  const limit = Math.max(mostUnsentBytes, maxFileSize);
  const incoming = new Tally<number>();

  return (memberId, bytes) => {
    const unsent = files.unsentBytes(database.reader, memberId) ?? 0;
    if (unsent + incoming.of(memberId) + bytes > limit) throw refused.tooMuchUnsent(limit);
    incoming.add(memberId, bytes);
    return () => incoming.add(memberId, -bytes);
  };
}
