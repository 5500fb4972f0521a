import fastifyMultipart from '@fastify/multipart';
import { parameterError, sanitizeFileName, storedNamePattern } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import type { UploadAnswer } from '@engawa/protocol/uploads';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refused } from '../http/errors.ts';
import { partsOf, receiveFile } from './multipart.ts';
import type { ReserveBytes } from './quota.ts';
import type { FileDependencies } from './routes.ts';
import { pictureSize } from './showable.ts';
import type { ReceivedFile, Storage } from '../storage/storage.ts';
import { type NewFile, files } from './store.ts';

/** Characters: the limit of file systems. */
export const longestName = 255;
/** Bytes that a form may have in addition to the file: field names, boundaries and the stored name. */
export const formAllowance = 16 * 1024;

export interface UploadDependencies extends Omit<FileDependencies, 'connectAs'> {
  readonly reserve: ReserveBytes;
}

/** POST /api/api/upload/file (R7.2): multipart `file` and `dstFileName`, in either order. */
export function uploadRoute(app: FastifyInstance, dependencies: UploadDependencies): void {
  const { storage, gate, maxFileSize, now, reserve } = dependencies;
  void app.register(async (scope) => {
    // Without parsers Fastify refuses other content types unread. `preservePath`: a file's name may contain slashes.
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false, preservePath: true });

    scope.post(paths.upload, async (request) => {
      const member = await gate.member(request, { bots: true });
      const release = reserve(member.id, bytesToCome(request, maxFileSize));
      try {
        const { file, name, storedName } = await receiveForm(request, storage, maxFileSize);
        const place = await file.keep();
        const row = {
          stored_name: storedName,
          place,
          uploader_id: member.id,
          name,
          size: file.size,
          type: file.type,
          created: Math.floor(now() / 1000),
        };
        await record(row, dependencies);
        const size = file.type.startsWith('image/') && (await pictureSize({ place, type: file.type }, storage));
        const answer: UploadAnswer = { name, stored_name: storedName, size: file.size };
        return { result: 'success', msg: '', ...answer, ...(typeof size === 'object' && { picture: size }) };
      } finally {
        release();
      }
    });
  });
}

export function bytesToCome({ headers }: FastifyRequest, maxFileSize: number): number {
  return Math.min(Number(headers['content-length'] ?? maxFileSize), maxFileSize);
}

type RecordDependencies = Pick<UploadDependencies, 'database' | 'storage' | 'sentFiles'>;

/** @throws RefusedError also if only messages have the stored name: their file was deleted, and its readers must not get other bytes. */
export async function record(row: NewFile, { database, storage, sentFiles }: RecordDependencies): Promise<void> {
  let known = false;
  try {
    known = await database.write(
      (tx) => sentFiles.messagesOfFile(row.uploader_id, row.stored_name, 1).length === 0 && files.insert(tx, row) === 1,
    );
    if (!known) throw refused.storedNameTaken();
  } finally {
    if (!known) await storage.remove(row.place);
  }
}

interface UploadForm {
  readonly file: ReceivedFile;
  readonly name: string;
  readonly storedName: string;
}

/** A refused form leaves nothing on the disk. */
async function receiveForm(request: FastifyRequest, storage: Storage, maxFileSize: number): Promise<UploadForm> {
  // Refused before the upload, to save its time. The bytes are counted too, because the header may be wrong.
  if (Number(request.headers['content-length']) > maxFileSize + formAllowance) throw refused.fileTooLarge(maxFileSize);

  let file: ReceivedFile | undefined;
  try {
    let name: string | undefined;
    let storedName: string | undefined;
    for await (const part of partsOf(request, maxFileSize)) {
      if (part.type === 'file' && part.fieldname === 'file' && !file) {
        file = await receiveFile(part, storage);
        if (part.file.truncated) throw refused.fileTooLarge(maxFileSize);
        // The type says string, but `filename` may be missing.
        name = nameInForm(part.filename || '');
      } else if (part.type === 'file') {
        part.file.resume();
      } else if (part.fieldname === 'dstFileName') {
        storedName = String(part.value);
      }
    }
    if (!file || name === undefined) throw parameterError.missing('file');
    if (storedName === undefined) throw parameterError.missing('dstFileName');
    if (!storedNamePattern.test(storedName)) throw refused.badStoredName();
    if (name.length > longestName) throw refused.fileNameTooLong(longestName);
    return { file, name: name || storedName, storedName };
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

/** The escapes of browsers in form names (WHATWG, multipart/form-data encoding algorithm). */
const escapes: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

export function nameInForm(filename: string): string {
  return sanitizeFileName(filename.replace(/%22|%0D|%0A/g, (escaped) => escapes[escaped] ?? escaped));
}
