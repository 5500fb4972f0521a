import type { StreamRow } from '../conversations/streams.ts';
import type { Transaction } from '../database/index.ts';

interface Announcement {
  /** The user who created the stream or added the others. */
  readonly by: number;
  readonly isNew: boolean;
  readonly newcomers: readonly number[];
}

/** Writes a line in the stream that its newcomers have not read. */
export type Announce = (tx: Transaction, stream: StreamRow, announcement: Announcement) => void;
