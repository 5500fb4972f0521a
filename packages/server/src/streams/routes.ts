import fastifyMultipart from '@fastify/multipart';
import { parameterError } from '@engawa/protocol';
import { maxImageBytes, paths, streamPictureForm } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { partsOf, receiveFile } from '../files/multipart.ts';
import type { ReceivedFile, Storage } from '../storage/storage.ts';
import { refused } from '../http/errors.ts';
import { checkImage } from '../pictures/checkImage.ts';
import { sendImage } from '../pictures/sendImage.ts';
import { Turns } from '../turns.ts';
import type { Gate } from '../sessions/member.ts';
import { type StreamPictureDependencies, changeStreamPicture } from './pictures.ts';
import { streamPictures } from './store.ts';

const id = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const named = z.object({ stream: id });
const versioned = named.extend({ version: z.string() });

/** Pictures of streams (R2.11.1): set by those who manage the stream, shown to those who see it. */
export function streamPictureRoutes(
  app: FastifyInstance,
  dependencies: StreamPictureDependencies & { readonly gate: Gate },
): void {
  const { storage, gate, chat } = dependencies;
  const turns = new Turns();
  const incoming = new Set<number>();

  void app.register(async (scope) => {
    // Other content types are refused before their body is read.
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    scope.post(`${paths.streams}:stream/picture`, async (request) => {
      const member = await gate.member(request);
      const { data } = named.safeParse(request.params);
      // Checked before the image is read, so that nobody else can fill the disk.
      if (!data || !chat.managesStream(member.id, data.stream)) throw refused.notTheirStream();
      // One image per member at a time: it is on the disk while it is checked.
      if (incoming.has(member.id)) throw refused.tooManyImages();
      incoming.add(member.id);
      try {
        const image = await receivePicture(request, storage);
        return await turns.take(data.stream, () => save(dependencies, member.id, data.stream, image));
      } finally {
        incoming.delete(member.id);
      }
    });
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: `${paths.streams}:stream/picture/:version`,
    handler: (request, reply) => sendPicture(request, reply, dependencies),
  });
}

async function save(
  dependencies: StreamPictureDependencies,
  memberId: number,
  streamId: number,
  image: ReceivedFile | undefined,
) {
  try {
    return { picture_url: await changeStreamPicture(dependencies, memberId, streamId, image) };
  } catch (error) {
    await image?.discard();
    throw error;
  }
}

/** @returns undefined to remove the picture. A refused form leaves nothing on the disk. */
async function receivePicture(request: FastifyRequest, storage: Storage): Promise<ReceivedFile | undefined> {
  const fields: Record<string, string> = {};
  let image: ReceivedFile | undefined;
  try {
    for await (const part of partsOf(request, maxImageBytes)) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value);
      else if (part.fieldname !== 'image' || image) part.file.resume();
      else {
        image = await receiveFile(part, storage);
        await checkImage(image, part.file.truncated);
      }
    }
    const { picture } = fields;
    if (image && picture !== undefined) throw parameterError.confusing('picture', 'image');
    if (!image && picture === undefined) throw parameterError.missing('picture');
    if (!image && !streamPictureForm.safeParse(fields).success) throw parameterError.invalid('picture', picture ?? '');
    return image;
  } catch (error) {
    await image?.discard();
    throw error;
  }
}

async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, storage, gate, chat }: StreamPictureDependencies & { readonly gate: Gate },
): Promise<FastifyReply> {
  const member = await gate.viewer(request);
  const { data } = versioned.safeParse(request.params);
  const sees = data && chat.seesStream(member.id, data.stream);
  const picture = sees && streamPictures.find(database.reader, data.stream, data.version);
  if (!picture) throw refused.noSuchPicture();
  return sendImage(request, reply, picture, storage);
}
