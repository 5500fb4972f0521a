import type { Directory } from '../chat/backend.ts';
import { paths } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import { idParameter } from '../http/parameters.ts';
import { pictureRoute } from '../pictures/pictureRoute.ts';
import type { Pictures } from '../pictures/pictures.ts';
import { sendImage } from '../pictures/sendImage.ts';
import type { Gate } from '../sessions/member.ts';
import { streamPictures } from './store.ts';

export interface StreamPictureDependencies extends Pick<Pictures, 'database' | 'storage'> {
  readonly chat: Pick<Directory, 'seesStream' | 'managesStream' | 'setStreamPicture'>;
  readonly gate: Gate;
}

const versioned = z.object({ stream: idParameter, version: z.string() });

/** A stream's picture: managers set it, and everybody who sees the stream can load it. */
export function streamPictureRoutes(app: FastifyInstance, dependencies: StreamPictureDependencies): void {
  const { chat } = dependencies;
  pictureRoute(app, {
    ...dependencies,
    rows: streamPictures,
    url: `${paths.streams}:stream/picture`,
    mayChange: chat.managesStream,
    async announce(memberId, streamId, version) {
      const picture_url = version === undefined ? null : `${paths.streams}${streamId}/picture/${version}`;
      return (await chat.setStreamPicture(memberId, streamId, picture_url)) ? { picture_url } : undefined;
    },
    refusal: refused.notTheirStream,
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: `${paths.streams}:stream/picture/:version`,
    handler: (request, reply) => sendPicture(request, reply, dependencies),
  });
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
