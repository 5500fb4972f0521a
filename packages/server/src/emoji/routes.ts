import fastifyMultipart from '@fastify/multipart';
import type { Database } from '@engawa/chat-server/database';
import { maxEmojiBytes, maxEmojiSide, parameterError } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { chatPaths } from '@engawa/protocol/uploads';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Directory } from '../chat/backend.ts';
import { partsOf, receiveFile } from '../files/multipart.ts';
import { refused } from '../http/errors.ts';
import { sendImage } from '../pictures/sendImage.ts';
import type { Gate } from '../sessions/member.ts';
import { imageSizeOf } from '../storage/imageSize.ts';
import type { ReceivedFile, Storage } from '../storage/storage.ts';
import { emojiPictures } from './store.ts';

export interface EmojiDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly chat: Pick<Directory, 'checkNewEmoji' | 'addEmoji'>;
  readonly gate: Gate;
}

const named = z.object({ name: z.string() });
const versioned = z.object({ version: z.string() });
const types = new Set(['image/png', 'image/gif', 'image/jpeg', 'image/webp']);

/**
 * POST /api/v1/realm/emoji/{name} of the chat API, a multipart form with one picture. Clients load the pictures without
 * credentials, as of other servers of the chat API; nobody can guess an address.
 */
export function emojiRoutes(app: FastifyInstance, dependencies: EmojiDependencies): void {
  const { database, storage, chat, gate } = dependencies;
  const incoming = new Set<number>();

  void app.register(async (scope) => {
    // Other content types are refused before their body is read.
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    scope.post(`${chatPaths.newEmoji}:name`, async (request) => {
      const member = await gate.member(request);
      const { name } = named.parse(request.params);
      // The right is checked before the picture is received, so that other members cannot fill the disk.
      chat.checkNewEmoji(member.id, name);
      // A member may send one picture at a time, because it is on the disk while it is checked.
      if (incoming.has(member.id)) throw refused.tooManyImages();
      incoming.add(member.id);
      try {
        await save(await receivePicture(request, storage), member.id, name, dependencies);
        return { result: 'success', msg: '' };
      } finally {
        incoming.delete(member.id);
      }
    });
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: `${paths.emoji}:version`,
    async handler(request, reply) {
      const picture = emojiPictures.byVersion(database.reader, versioned.parse(request.params).version);
      if (!picture) throw refused.noSuchPicture();
      // It never changes.
      return sendImage(request, reply, picture, storage).header('Cache-Control', 'public, max-age=86400');
    },
  });
}

/** The row comes before the emoji, so that an emoji always has its picture. A crash leaves a picture too many. */
async function save(
  picture: ReceivedFile,
  memberId: number,
  name: string,
  { database, storage, chat }: EmojiDependencies,
): Promise<void> {
  const version = await picture.keep();
  const { type, size } = picture;
  try {
    await database.write((tx) => emojiPictures.insert(tx, { version, type, size }));
    await chat.addEmoji(memberId, name, `${paths.emoji}${version}`);
  } catch (error) {
    await database.write((tx) => emojiPictures.remove(tx, version));
    await storage.remove(version);
    throw error;
  }
}

/** A refused form leaves nothing on the disk. The field may have any name, and `partsOf` refuses a second file. */
async function receivePicture(request: FastifyRequest, storage: Storage): Promise<ReceivedFile> {
  let picture: ReceivedFile | undefined;
  try {
    for await (const part of partsOf(request, maxEmojiBytes)) {
      if (part.type !== 'file') continue;
      picture = await receiveFile(part, storage);
      if (part.file.truncated) throw refused.emojiSize(maxEmojiBytes);
      const size = types.has(picture.type) ? imageSizeOf(await picture.content(), picture.type) : undefined;
      if (!size || size.width === 0 || size.height === 0) throw refused.emojiType();
      if (Math.max(size.width, size.height) > maxEmojiSide) throw refused.imageSide(maxEmojiSide);
    }
    if (!picture) throw parameterError.missing('file');
    return picture;
  } catch (error) {
    await picture?.discard();
    throw error;
  }
}
