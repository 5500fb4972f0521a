import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import fastifyMultipart from '@fastify/multipart';
import { parameterError, storedNameAlphabet, storedNameLength, uploadLink } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { chatPaths } from '@engawa/protocol/uploads';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import { idParameter } from '../http/parameters.ts';
import type { Member } from '../sessions/member.ts';
import type { ReceivedFile } from '../storage/storage.ts';
import { mayDownload, messagesCarrying } from './access.ts';
import { answer } from './download.ts';
import { partsOf, receiveFile } from './multipart.ts';
import { nameInPath } from './nameInPath.ts';
import type { FileDependencies } from './routes.ts';
import { type FileRow, files } from './store.ts';
import { type UploadDependencies, bytesToCome, formAllowance, longestName, nameInForm, record } from './upload.ts';

type UserUploadDependencies = FileDependencies & UploadDependencies;

const uploaded = z.object({ storedName: z.string() });
const temporary = z.object({ token: z.string() });
const numbered = z.object({ id: idParameter });
/** Seconds for which an address without credentials opens a file. */
const temporaryLife = 60;
const mostListed = 1000;
const mostMessagesListed = 20;

/** The uploads of the chat API: the same files and rules as the product's own, under other addresses. */
export function userUploadRoutes(app: FastifyInstance, dependencies: UserUploadDependencies): void {
  const { database, storage, gate, sentFiles, now } = dependencies;
  const tokens = createTokens(now);

  void app.register(async (scope) => {
    // Without parsers Fastify refuses other content types unread. `preservePath`: a file's name may contain slashes.
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false, preservePath: true });
    scope.post(chatPaths.userUploads, async (request) =>
      upload(request, await gate.member(request, { bots: true }), dependencies),
    );
  });

  const readable = async (request: FastifyRequest): Promise<FileRow> => {
    const member = await gate.viewer(request, { bots: true });
    const file = files.find(database.reader, uploaded.parse(request.params).storedName);
    if (!file || !(await mayDownload(member, file, undefined, dependencies))) throw refused.noSuchFile();
    return file;
  };
  const send = (request: FastifyRequest, reply: FastifyReply, file: FileRow) =>
    answer(request, reply, { ...file, etag: `"${file.place}"` }, storage);

  app.get(`${chatPaths.userUploads}/1/:storedName/:name`, async (request) => {
    const file = await readable(request);
    return {
      result: 'success',
      msg: '',
      url: `${paths.uploads}temporary/${tokens.issue(file.stored_name)}/${encodeURIComponent(nameInPath(file.name))}`,
    };
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: `${paths.uploads}1/:storedName/:name`,
    handler: async (request, reply) => send(request, reply, await readable(request)),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: `${paths.uploads}temporary/:token/:name`,
    handler(request, reply) {
      const storedName = tokens.read(temporary.parse(request.params).token);
      const file = storedName === undefined ? undefined : files.find(database.reader, storedName);
      if (!file) throw refused.noSuchFile();
      return send(request, reply, file);
    },
  });

  app.get(chatPaths.attachments, async (request) => {
    const member = await gate.member(request, { bots: true });
    return {
      result: 'success',
      msg: '',
      attachments: files.ofUploader(database.reader, member.id, mostListed).map((file) => ({
        id: file.id,
        name: file.name,
        path_id: pathOf(file).slice(paths.uploads.length),
        size: file.size,
        create_time: file.created * 1000,
        messages: messagesCarrying(file, sentFiles, mostMessagesListed).flatMap(({ id, timestamp }) =>
          timestamp === undefined ? [] : { id, date_sent: timestamp * 1000 },
        ),
      })),
      upload_space_used: files.bytesOf(database.reader, member.id) ?? 0,
    };
  });
  app.delete(`${chatPaths.attachments}/:id`, async (request) => {
    const member = await gate.member(request, { bots: true });
    const { data } = numbered.safeParse(request.params);
    const removed = await database.write((tx) => {
      const file = data && files.byNumber(tx, data.id, member.id);
      if (file) files.remove(tx, file.stored_name);
      return file;
    });
    if (!removed) throw refused.noSuchAttachment();
    // A crash before this leaves a file without a row, which the sweeper removes.
    await storage.remove(removed.place);
    return { result: 'success', msg: '' };
  });
}

const pathOf = ({ stored_name, name }: Pick<FileRow, 'stored_name' | 'name'>): string =>
  uploadLink(stored_name, encodeURIComponent(nameInPath(name)));

async function upload(request: FastifyRequest, member: Member, dependencies: UserUploadDependencies) {
  const { maxFileSize, now, reserve } = dependencies;
  const release = reserve(member.id, bytesToCome(request, maxFileSize));
  try {
    const { file, name } = await receiveForm(request, dependencies);
    const stored_name = newStoredName(name);
    const place = await file.keep();
    const { size, type } = file;
    const row = { stored_name, place, uploader_id: member.id, name, size, type, created: Math.floor(now() / 1000) };
    await record(row, dependencies);
    const uri = pathOf(row);
    return { result: 'success', msg: '', uri, url: uri, filename: name };
  } finally {
    release();
  }
}

function newStoredName(name: string): string {
  const letters = Array.from({ length: storedNameLength }, () => storedNameAlphabet[randomInt(storedNameAlphabet.length)]);
  const [extension = ''] = /\.[a-z0-9]{1,20}$/.exec(name.toLowerCase()) ?? [];
  return letters.join('') + extension;
}

/** Exactly one file, in a field of any name. A refused form leaves nothing on the disk. */
async function receiveForm(
  request: FastifyRequest,
  { storage, maxFileSize }: UserUploadDependencies,
): Promise<{ readonly file: ReceivedFile; readonly name: string }> {
  if (Number(request.headers['content-length']) > maxFileSize + formAllowance) throw refused.fileTooLarge(maxFileSize);
  let file: ReceivedFile | undefined;
  let name = '';
  try {
    for await (const part of partsOf(request, maxFileSize)) {
      if (part.type !== 'file') continue;
      file = await receiveFile(part, storage);
      if (part.file.truncated) throw refused.fileTooLarge(maxFileSize);
      // The type says string, but `filename` may be missing.
      name = nameInForm(part.filename || '') || 'uploaded-file';
    }
    if (!file) throw parameterError.missing('file');
    if (name.length > longestName) throw refused.fileNameTooLong(longestName);
    return { file, name };
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

/** Signed texts instead of a table: they end by themselves, and with the process. */
function createTokens(now: () => number) {
  const key = randomBytes(32);
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    issue(storedName: string): string {
      const text = `${Math.floor(now() / 1000) + temporaryLife}:${storedName}`;
      return `${Buffer.from(text).toString('base64url')}.${sign(text).toString('base64url')}`;
    },
    /** @returns the stored name, if the token is ours and still valid. */
    read(token: string): string | undefined {
      const [text = '', signature = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      const given = Buffer.from(signature, 'latin1');
      const own = sign(text);
      if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
      const [expires = '', storedName] = text.split(':');
      return Number(expires) > now() / 1000 ? storedName : undefined;
    },
  };
}
