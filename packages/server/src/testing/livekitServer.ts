/** The part of a LiveKit server that the product asks: its room service. It checks tokens as LiveKit does. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const claims = z.object({
  iss: z.string(),
  sub: z.string().optional(),
  name: z.string().optional(),
  nbf: z.int(),
  exp: z.int(),
  video: z.record(z.string(), z.unknown()),
});
const question = z.object({
  room: z.string().optional(),
  identity: z.string().optional(),
  names: z.array(z.string()).optional(),
});

export interface LivekitServer {
  /** The settings of the product. */
  readonly environment: Readonly<Record<'LIVEKIT_URL' | 'LIVEKIT_KEY' | 'LIVEKIT_SECRET', string>>;
  /** The identities that are connected to each room. */
  readonly rooms: Map<string, Set<string>>;
  /** The questions with a valid token, as `RemoveParticipant room identity`. */
  readonly asked: string[];
  /** An HTTP status with which it refuses everything. */
  fails: number | undefined;
  /** The content of a token; undefined with a wrong signature. */
  open(token: string): z.output<typeof claims> | undefined;
}

/** The grants that a call of the room service requires (LiveKit, `pkg/service/auth.go`). */
const required: Readonly<Record<string, (video: Readonly<Record<string, unknown>>, room: string | undefined) => boolean>> = {
  ListRooms: ({ roomList }) => roomList === true,
  DeleteRoom: ({ roomCreate }) => roomCreate === true,
  ListParticipants: (video, room) => video['roomAdmin'] === true && video['room'] === room,
  RemoveParticipant: (video, room) => video['roomAdmin'] === true && video['room'] === room,
};

export async function runLivekitServer(): Promise<LivekitServer> {
  const secret = 'a-secret-of-thirty-two-characters';
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const livekit: LivekitServer = {
    environment: { LIVEKIT_URL: `ws://127.0.0.1:${port}`, LIVEKIT_KEY: 'APIengawa', LIVEKIT_SECRET: secret },
    rooms: new Map(),
    asked: [],
    fails: undefined,
    open(token) {
      const [head = '', body = '', signature] = token.split('.');
      const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url');
      if (signature !== expected) return undefined;
      return claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = outcome(request, question.parse(JSON.parse((await request.toArray()).join(''))));
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  function outcome(
    { url = '', method, headers }: IncomingMessage,
    { room, identity }: z.output<typeof question>,
  ): [number, object | string] {
    const asked = /^\/twirp\/livekit\.RoomService\/(\w+)$/.exec(url)?.[1] ?? '';
    if (method !== 'POST' || !(asked in required)) return [404, { code: 'bad_route', msg: url }];
    const token = livekit.open(headers.authorization?.replace('Bearer ', '') ?? '');
    if (token?.iss !== 'APIengawa') return [401, 'invalid API key'];
    if (!required[asked]?.(token.video, room)) return [401, 'permissions denied'];
    livekit.asked.push([asked, room, identity].filter((part) => part !== undefined).join(' '));
    if (livekit.fails !== undefined) return [livekit.fails, { code: 'internal', msg: 'it fails' }];
    if (asked === 'ListRooms') return [200, { rooms: [] }];
    const present = livekit.rooms.get(room ?? '');
    if (!present) return [404, { code: 'not_found', msg: 'requested room does not exist' }];
    if (asked === 'ListParticipants') return [200, { participants: [...present].map((each) => ({ identity: each })) }];
    if (asked === 'DeleteRoom') livekit.rooms.delete(room ?? '');
    else if (!present.delete(identity ?? '')) return [404, { code: 'not_found', msg: 'participant does not exist' }];
    return [200, {}];
  }

  return livekit;
}
