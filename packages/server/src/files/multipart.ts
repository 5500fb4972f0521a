import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { refused } from '../http/errors.ts';
import { type ReceivedFile, type Storage, StorageError } from '../storage/storage.ts';

/** Bytes of a form's field. A longer value is cut, and so is too long for whatever it says. */
const fieldSize = 4000;

/**
 * The parts of a form with one file, which is cut off at `fileSize` bytes. What this throws is the fault of the body:
 * it is broken off, or is no form.
 */
export async function* partsOf(request: FastifyRequest, fileSize: number): AsyncGenerator<Multipart> {
  try {
    yield* request.parts({ limits: { fileSize, files: 1, fields: 10, fieldSize } });
  } catch (error) {
    // Where the disk failed the rest of the body is not read, which is not the body's fault.
    throw error instanceof StorageError ? error : refused.bodyMalformed(error);
  } finally {
    // What is left unread of a form that is refused is let go, so that the next call on its connection is heard.
    request.raw.unpipe().resume();
  }
}

/** Takes a file in as it comes. Whether it was cut off is known when it is there: `file.truncated`. */
export async function receiveFile({ file: source }: MultipartFile, storage: Storage): Promise<ReceivedFile> {
  return storage.receive(source).catch((error: unknown) => {
    throw source.errored && !(error instanceof StorageError) ? refused.bodyMalformed(error) : error;
  });
}
