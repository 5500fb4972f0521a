import fastifyMultipart from '@fastify/multipart';
import type { Directory } from '../chat/backend.ts';
import { parameterError } from '@engawa/protocol';
import { paths, streamPictureForm } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import { idParameter } from '../http/parameters.ts';
import { type FormFields, receiveImageForm } from '../pictures/form.ts';
import { type Pictures, replacePicture } from '../pictures/pictures.ts';
import { sendImage } from '../pictures/sendImage.ts';
import type { Gate } from '../sessions/member.ts';
import type { ReceivedFile } from '../storage/storage.ts';
import { Turns } from '../http/turns.ts';
import { streamPictures } from './store.ts';

export interface StreamPictureDependencies extends Pick<Pictures, 'database' | 'storage'> {
  readonly chat: Pick<Directory, 'seesStream' | 'managesStream' | 'setStreamPicture'>;
  readonly gate: Gate;
}

const named = z.object({ stream: idParameter });
const versioned = named.extend({ version: z.string() });

/** A stream's picture: managers set it, and everybody who sees the stream can load it. */
export function streamPictureRoutes(app: FastifyInstance, dependencies: StreamPictureDependencies): void {
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
      // The right is checked before the image is received, so that other members cannot fill the disk.
      if (!data || !chat.managesStream(member.id, data.stream)) throw refused.notTheirStream();
      // A member may send one image at a time, because it is on the disk while it is checked.
      if (incoming.has(member.id)) throw refused.tooManyImages();
      incoming.add(member.id);
      try {
        const { image } = await receiveImageForm(request, storage, pictureForm);
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
  { database, storage, chat }: StreamPictureDependencies,
  memberId: number,
  streamId: number,
  image: ReceivedFile | undefined,
) {
  try {
    return await replacePicture({ database, storage, rows: streamPictures }, streamId, image, async (version) => {
      const url = version === undefined ? null : `${paths.streams}${streamId}/picture/${version}`;
      // The member may have lost the right while the image was received.
      if (!(await chat.setStreamPicture(memberId, streamId, url))) throw refused.notTheirStream();
      return { picture_url: url };
    });
  } catch (error) {
    await image?.discard();
    throw error;
  }
}

function pictureForm(fields: FormFields, image: ReceivedFile | undefined) {
  const { picture } = fields;
  if (image && picture !== undefined) throw parameterError.confusing('picture', 'image');
  if (!image && picture === undefined) throw parameterError.missing('picture');
  if (!image && !streamPictureForm.safeParse(fields).success) throw parameterError.invalid('picture', picture ?? '');
  return { image };
}

async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, storage, gate, chat }: StreamPictureDependencies,
): Promise<FastifyReply> {
  const member = await gate.viewer(request);
  const { data } = versioned.safeParse(request.params);
  const sees = data && chat.seesStream(member.id, data.stream);
  const picture = sees && streamPictures.find(database.reader, data.stream, data.version);
  if (!picture) throw refused.noSuchPicture();
  return sendImage(request, reply, picture, storage);
}
