import fastifyMultipart from '@fastify/multipart';
import { parameterError } from '@engawa/protocol';
import { streamPictureForm } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import { idParameter } from '../http/parameters.ts';
import { Turns } from '../http/turns.ts';
import type { Gate } from '../sessions/member.ts';
import type { ReceivedFile } from '../storage/storage.ts';
import { type FormFields, receiveImageForm } from './form.ts';
import { type Pictures, replacePicture } from './pictures.ts';

export interface PictureRoute<Answer> extends Pictures {
  /** The address of the call. Its only parameter is the id of what the picture belongs to. */
  readonly url: string;
  readonly gate: Pick<Gate, 'member'>;
  mayChange(memberId: number, id: number): boolean;
  /** @param version undefined: no picture. @returns undefined if the member may no longer change it. */
  announce(memberId: number, id: number, version: string | undefined): Promise<Answer | undefined>;
  refusal(): Error;
}

const named = z.record(z.string(), idParameter).transform((parameters) => Object.values(parameters)[0]);

/** A call that sets or removes the picture of a stream or of a bot, as a multipart form. */
export function pictureRoute<Answer>(app: FastifyInstance, route: PictureRoute<Answer>): void {
  const { url, gate, storage } = route;
  const turns = new Turns();
  const incoming = new Set<number>();

  void app.register(async (scope) => {
    // Other content types are refused before their body is read.
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    scope.post(url, async (request) => {
      const member = await gate.member(request);
      const { data: id } = named.safeParse(request.params);
      // The right is checked before the image is received, so that other members cannot fill the disk.
      if (id === undefined || !route.mayChange(member.id, id)) throw route.refusal();
      // A member may send one image at a time, because it is on the disk while it is checked.
      if (incoming.has(member.id)) throw refused.tooManyImages();
      incoming.add(member.id);
      try {
        const { image } = await receiveImageForm(request, storage, pictureForm);
        return await turns.take(id, () => save(route, member.id, id, image));
      } finally {
        incoming.delete(member.id);
      }
    });
  });
}

async function save<Answer>(route: PictureRoute<Answer>, memberId: number, id: number, image: ReceivedFile | undefined) {
  try {
    return await replacePicture(route, id, image, async (version) => {
      const answer = await route.announce(memberId, id, version);
      // The member may have lost the right while the image was received.
      if (answer === undefined) throw route.refusal();
      return answer;
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
