import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { refused } from '../http/errors.ts';
import { type ReceivedFile, type Storage, StorageError } from '../storage/storage.ts';

/** Bytes. Longer values are truncated, which makes them invalid. */
const fieldSize = 4000;

/** @param fileSize bytes, after which the file is truncated. @throws RefusedError for a malformed body; StorageError */
export async function* partsOf(request: FastifyRequest, fileSize: number): AsyncGenerator<Multipart> {
  try {
    yield* request.parts({ limits: { fileSize, files: 1, fields: 10, fieldSize } });
  } catch (error) {
    throw error instanceof StorageError ? error : refused.bodyMalformed(error);
  } finally {
    // The rest of a refused form is drained, so that the next call on the connection is read.
    request.raw.unpipe().resume();
  }
}

export async function receiveFile({ file: source }: MultipartFile, storage: Storage): Promise<ReceivedFile> {
  return storage.receive(source).catch((error: unknown) => {
    throw source.errored && !(error instanceof StorageError) ? refused.bodyMalformed(error) : error;
  });
}
