import fastifyMultipart from '@fastify/multipart';
import type { Database } from '@engawa/chat-server/database';
import { updateSettings } from '@engawa/client';
import { type Profile, paths } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Speaker, readdressed } from '../chat/connections.ts';
import type { Storage } from '../storage/storage.ts';
import { refused } from '../http/errors.ts';
import { type Gate, type Member, memberOf } from '../sessions/member.ts';
import { type ProfileForm, receiveProfile } from './form.ts';
import { type TellAvatar, changePicture } from './pictures.ts';
import { sendImage } from './sendImage.ts';
import { avatars, profiles } from './store.ts';
import { Turns } from './turns.ts';

export interface ProfileRooms {
  readonly database: Database;
  /** Of pictures alone. */
  readonly storage: Storage;
  readonly gate: Gate;
  readonly speak: Speaker;
  readonly tellAvatar: TellAvatar;
  /** Whether a user shows their picture to another. */
  seesPicture(viewerId: number, userId: number): boolean;
}

/** Most forms of one member that arrive at once: each may bring an image, which lies on the disk until it is judged. */
const mostArriving = 4;

/** GET and POST /api/profile, and the pictures (R7.4). */
export function profileRoutes(app: FastifyInstance, rooms: ProfileRooms): void {
  const { database, storage, gate } = rooms;
  const turns = new Turns();
  const arriving = new Map<number, number>();

  const receive = async (request: FastifyRequest, id: number): Promise<ProfileForm> => {
    const others = arriving.get(id) ?? 0;
    if (others >= mostArriving) throw refused.tooManyImages();
    arriving.set(id, others + 1);
    try {
      return await receiveProfile(request, storage);
    } finally {
      const rest = (arriving.get(id) ?? 0) - 1;
      if (rest > 0) arriving.set(id, rest);
      else arriving.delete(id);
    }
  };

  app.get(paths.profile, async (request, reply) => {
    const member = await gate.member(request);
    return reply.header('Cache-Control', 'private, no-cache').send(profileOf(member, database));
  });

  void app.register(async (scope) => {
    // Any other form is refused before it is read.
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    scope.post(paths.profile, async (request) => {
      const { id } = await gate.member(request);
      const form = await receive(request, id);
      return turns.take(id, () => save(form, request, rooms));
    });
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: `${paths.avatars}:user/:version`,
    handler: (request, reply) => sendPicture(request, reply, rooms),
  });
}

function profileOf({ id, email, fullName, timezone, avatarUrl }: Member, { reader }: Database): Profile {
  const { location = '' } = profiles.find(reader, id) ?? {};
  return { name: fullName, email, location, timezone, avatar_url: avatarUrl };
}

/** The chat server is asked first: what it refuses changes nothing at all. */
async function save(form: ProfileForm, request: FastifyRequest, rooms: ProfileRooms): Promise<Profile> {
  const { name, email, location, picture } = form;
  const { database, gate, speak } = rooms;
  try {
    // Looked up again: the change before this one may have been of their email.
    const { id, authorization } = await gate.member(request);
    await updateSettings(speak(authorization), { full_name: name, email });
    await database.write((tx) => profiles.putLocation(tx, { user_id: id, location }));
    await changePicture(rooms, id, picture);
    return profileOf(await memberOf(readdressed(authorization, email), speak), database);
  } catch (error) {
    if (typeof picture === 'object') await picture.discard();
    throw error;
  }
}

const parameters = z.object({
  user: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  version: z.string(),
});

async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, storage, gate, seesPicture }: ProfileRooms,
): Promise<FastifyReply> {
  const viewer = await gate.viewer(request);
  const { data } = parameters.safeParse(request.params);
  const avatar = data && avatars.find(database.reader, data.user, data.version);
  // What is withheld reads as if it were not there.
  if (!avatar || !seesPicture(viewer.id, avatar.user_id)) throw refused.noSuchPicture();
  return sendImage(request, reply, avatar, storage);
}
