import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, hasCode, reasonOf } from '../log/failure.ts';

/** An empty file whose time of change is the time of the newest backup, so that another user than the server's can make it. */
const markerIn = (dataDirectory: string) => join(dataDirectory, 'last-backup');

/** @throws Failure if the data directory is not writable. The backup itself is complete. */
export async function noteBackup(dataDirectory: string): Promise<void> {
  try {
    await writeFile(markerIn(dataDirectory), '', { mode: 0o600 });
  } catch (error) {
    throw new Failure(
      'バックアップはできましたが、その日時を DATA_DIR に記録できませんでした。',
      `The backup is complete, but its time could not be noted in DATA_DIR (${reasonOf(error)}).`,
      { cause: error },
    );
  }
}

/** @returns unix seconds; null: `engawa backup` has never finished for this directory. */
export async function lastBackup(dataDirectory: string): Promise<number | null> {
  try {
    return Math.floor((await stat(markerIn(dataDirectory))).mtimeMs / 1000);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
