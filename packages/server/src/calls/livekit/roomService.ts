import { z } from 'zod';
import type { LivekitSettings } from '../../configuration.ts';
import { type Grants, signToken } from './token.ts';
import { parseJson } from '../../parseJson.ts';

/** Milliseconds. */
const patience = 5000;
/** Seconds. */
const validity = 60;

const refusal = z.object({ code: z.string() });
const participantList = z.object({ participants: z.array(z.object({ identity: z.string() })).optional() });

/** LiveKit refused: `not_found` and other codes of Twirp, or `http_401` for an answer that is not of Twirp. */
export class LivekitRefusal extends Error {
  override readonly name = 'LivekitRefusal';

  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface RoomService {
  /** The identities of those who are connected to the room. */
  participants(room: string): Promise<readonly string[]>;
  remove(room: string, identity: string): Promise<void>;
  deleteRoom(room: string): Promise<void>;
  /** Does nothing but show that LiveKit is reachable and accepts the key. */
  check(): Promise<void>;
}

/**
 * The rooms of a LiveKit server by its HTTP interface (Twirp with JSON). What is gone already is no error.
 * @param now milliseconds since 1970.
 */
export function createRoomService(settings: LivekitSettings, now: () => number, stop?: AbortSignal): RoomService {
  const base = `${settings.url.replace(/^ws/, 'http')}/twirp/livekit.RoomService`;

  async function call(method: string, grants: Grants, body: object): Promise<unknown> {
    const token = signToken(settings, { grants, from: Math.floor(now() / 1000), seconds: validity });
    const timeout = AbortSignal.timeout(patience);
    const answer = await reach(`${base}/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: stop ? AbortSignal.any([stop, timeout]) : timeout,
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    throw refusalIn(answer.status, text);
  }

  return {
    async participants(room) {
      const found = await orGone(call('ListParticipants', { room, roomAdmin: true }, { room }));
      return participantList.parse(found ?? {}).participants?.map(({ identity }) => identity) ?? [];
    },
    async remove(room, identity) {
      await orGone(call('RemoveParticipant', { room, roomAdmin: true }, { room, identity }));
    },
    async deleteRoom(room) {
      await orGone(call('DeleteRoom', { roomCreate: true }, { room }));
    },
    async check() {
      await call('ListRooms', { roomList: true }, { names: ['engawa'] });
    },
  };
}

/** `fetch` says why it failed in the cause of its error only. */
async function reach(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    const { cause } = error instanceof TypeError ? error : {};
    if (!(cause instanceof Error)) throw error;
    throw new Error('code' in cause ? String(cause.code) : cause.message, { cause: error });
  }
}

/** LiveKit refuses a key, and a proxy anything, in plain text. */
function refusalIn(status: number, text: string): LivekitRefusal {
  const parsed = refusal.safeParse(parseJson(text));
  return new LivekitRefusal(parsed.success ? parsed.data.code : `http_${status}`);
}

async function orGone(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof LivekitRefusal && error.code === 'not_found') return undefined;
    throw error;
  }
}
