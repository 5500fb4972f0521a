import { TimeoutError } from '@engawa/client';
import type { FileMessage, PictureSize } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { FileGoneError, FileTooLargeError } from '../connection/failure.ts';
import type { OutboxDependencies } from './environment.ts';
import { generateStoredName } from './generate.ts';
import { nameOf } from './outgoing.ts';
import { untilStill } from './untilStill.ts';

export interface UploadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: File;
  /** The original file name. The server stores the file under `storedName` (R7.2). */
  readonly name: string;
  readonly storedName: string;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Returns the size if the file is a picture that the chat may show.
 * @throws CallError as calls of the chat API do; the signal's reason if it is aborted.
 */
export type Upload = (request: UploadRequest) => Promise<PictureSize | undefined>;

/** Milliseconds without progress after which an upload is aborted. After the last byte a proxy may still forward the file. */
const uploadPatience = (progress: number) => (progress < 1 ? 60_000 : 600_000);

/** Uploads the files of outgoing messages, and aborts an upload that makes no progress. */
export class Uploads {
  readonly #dependencies: OutboxDependencies;
  readonly #copyOf: (localKey: string) => Promise<File | undefined>;
  readonly #aborts = new Map<string, AbortController>();

  /** @param copyOf Returns the copy of a message's file on the disk. */
  constructor(dependencies: OutboxDependencies, copyOf: (localKey: string) => Promise<File | undefined>) {
    this.#dependencies = dependencies;
    this.#copyOf = copyOf;
  }

  /** Returns undefined if the upload was aborted. */
  async start(localKey: string, file: File, onProgress: (fraction: number) => void): Promise<FileMessage | undefined> {
    const { session, environment, connection, stop } = this.#dependencies;
    if (file.size > session.max_file_size) throw new FileTooLargeError(session.max_file_size);
    const name = nameOf(file);
    // A new name for each attempt, because an earlier upload whose answer was lost may have used the previous name.
    const storedName = generateStoredName(name);
    const abort = new AbortController();
    const stuck = new AbortController();
    const end = new AbortController();
    let progress = 0;
    void untilStill(environment.clock, () => progress, uploadPatience, end.signal).then(() =>
      stuck.abort(new TimeoutError('POST upload', uploadPatience(progress))),
    );
    const signal = AbortSignal.any([stop, abort.signal, stuck.signal]);
    this.#aborts.set(localKey, abort);
    try {
      const chosen = await this.#asChosen(localKey, file);
      signal.throwIfAborted();
      const picture = await environment.upload({
        url: environment.site + paths.upload,
        headers: connection.headers,
        file: chosen,
        name,
        storedName,
        onProgress(fraction) {
          progress = fraction;
          onProgress(fraction);
        },
        signal,
      });
      return { name, storedName, size: file.size, picture };
    } catch (error) {
      if (abort.signal.aborted) return undefined;
      throw error;
    } finally {
      end.abort();
      this.#aborts.delete(localKey);
    }
  }

  abort(localKey: string): void {
    this.#aborts.get(localKey)?.abort();
  }

  /** The chosen file, or its copy on the disk. Checked, because some browsers would send a changed file. */
  async #asChosen(localKey: string, file: File): Promise<File> {
    if (await isReadable(file)) return file;
    const copy = await this.#copyOf(localKey);
    if (copy && (await isReadable(copy))) return copy;
    throw new FileGoneError();
  }
}

/** Browsers refuse to read a file that was changed after it was chosen. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
