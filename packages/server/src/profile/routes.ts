import fastifyMultipart from '@fastify/multipart';
import type { ChatBackend, StoredPictures } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import { updateSettings } from '@engawa/client';
import { type Profile, paths } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ConnectAs, withEmail } from '../chat/connections.ts';
import type { Storage } from '../storage/storage.ts';
import { refused } from '../http/errors.ts';
import { idParameter } from '../http/parameters.ts';
import { receiveImageForm } from '../pictures/form.ts';
import { type Gate, type Member, memberOf } from '../sessions/member.ts';
import { type ProfileForm, profileFormOf } from './form.ts';
import { changePicture } from './pictures.ts';
import { peopleRoutes } from './people.ts';
import { sendImage } from '../pictures/sendImage.ts';
import { avatars, profiles } from './store.ts';
import { Tally } from '../http/tally.ts';
import { Turns } from '../http/turns.ts';

export interface ProfileDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly gate: Gate;
  readonly connectAs: ConnectAs;
  readonly chat: Pick<ChatBackend, 'sightOf' | 'pictures' | 'directory'>;
}

/** Forms of one member at the same time; limited, because an image is on the disk while it is checked. */
const mostArriving = 4;

/** GET and POST /api/profile, and the pictures (R7.4). */
export function profileRoutes(app: FastifyInstance, dependencies: ProfileDependencies): void {
  const { database, storage, gate } = dependencies;
  peopleRoutes(app, dependencies);
  const turns = new Turns();
  const incoming = new Tally<number>();

  const receive = async (request: FastifyRequest, id: number): Promise<ProfileForm> => {
    if (incoming.of(id) >= mostArriving) throw refused.tooManyImages();
    incoming.add(id, 1);
    try {
      return await receiveImageForm(request, storage, profileFormOf);
    } finally {
      incoming.add(id, -1);
    }
  };

  app.get(paths.profile, async (request, reply) => {
    const member = await gate.member(request);
    return reply.header('Cache-Control', 'private, no-cache').send(profileOf(member, database));
  });

  void app.register(async (scope) => {
    // Other content types are refused before their body is read.
    scope.removeAllContentTypeParsers();
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    scope.post(paths.profile, async (request) => {
      const { id } = await gate.member(request);
      const form = await receive(request, id);
      return turns.take(id, () => save(form, request, dependencies));
    });
  });

  const { pictures } = dependencies.chat;
  if (pictures.storedBy === 'chat server') return;
  app.route({
    method: ['GET', 'HEAD'],
    url: `${paths.avatars}:user/:version`,
    handler: (request, reply) => sendPicture(request, reply, { ...dependencies, sees: pictures.sees }),
  });
}

function profileOf({ id, email, fullName, timezone, avatarUrl }: Member, { reader }: Database): Profile {
  const { location = '' } = profiles.find(reader, id) ?? {};
  return { name: fullName, email, location, timezone, avatar_url: avatarUrl };
}

/** Changes the chat server's data first, so that nothing changes if it refuses. */
async function save(form: ProfileForm, request: FastifyRequest, dependencies: ProfileDependencies): Promise<Profile> {
  const { name, email, location, picture } = form;
  const { database, gate, connectAs, chat } = dependencies;
  try {
    // Read again, because the previous change of this member may have changed their email.
    const { id, authorization } = await gate.member(request);
    // Where the product does not manage people, their email is not changed here either.
    await updateSettings(connectAs(authorization), { full_name: name, ...(chat.directory && { email }) });
    await database.write((tx) => profiles.putLocation(tx, id, location));
    await changePicture(dependencies, { id, authorization }, picture);
    const readdressed = chat.directory ? withEmail(authorization, email) : authorization;
    return profileOf(await memberOf(readdressed, connectAs), database);
  } catch (error) {
    if (typeof picture === 'object') await picture.discard();
    throw error;
  }
}

const parameters = z.object({
  user: idParameter,
  version: z.string(),
});

async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, storage, gate, sees }: ProfileDependencies & Pick<StoredPictures, 'sees'>,
): Promise<FastifyReply> {
  const viewer = await gate.viewer(request);
  const { data } = parameters.safeParse(request.params);
  const avatar = data && avatars.find(database.reader, data.user, data.version);
  // A hidden picture looks as if it did not exist.
  if (!avatar || !sees(viewer.id, avatar.user_id)) throw refused.noSuchPicture();
  return sendImage(request, reply, avatar, storage);
}
