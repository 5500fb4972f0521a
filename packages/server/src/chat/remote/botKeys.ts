import {
  type Endpoint,
  createBot,
  fetchApiKey,
  getBotApiKey,
  getBots,
  getUser,
  regenerateApiKey,
  regenerateBotApiKey,
} from '@engawa/protocol';
import type { ChatReply } from '../backend.ts';

/** Their answers have keys of the caller: of the account itself, or of the caller's own bots. */
const answersOwnKeys: ReadonlySet<Endpoint> = new Set([fetchApiKey, regenerateApiKey, createBot, getBots]);
/** Zulip answers them to administrators too. */
const answersOneKey: ReadonlySet<Endpoint> = new Set([getBotApiKey, regenerateBotApiKey]);

export const isAboutKeyOfBot = (endpoint: Endpoint): boolean => answersOneKey.has(endpoint);

/** The call that tells who owns the bot of such a call. */
export function ownerCall(target: string): string {
  return target.replace(/^\/api\/v1\/bots\/(\d+)\/.*$/s, '/api/v1/users/$1');
}

export function isOwnBot({ status, body }: ChatReply, memberId: number): boolean {
  if (status !== 200) return false;
  const answered = getUser.answer.safeParse(JSON.parse(Buffer.from(body).toString('utf8')));
  return answered.data?.user.bot_owner_id === memberId;
}

/** A JSON key with its text. The key of an account has no character that is escaped. */
const keyed = /"api_key":\s*"[^"\\]*"/g;

/** Zulip gives administrators the keys of all bots. No key reaches the browser of somebody else than the owner. */
export function withoutKeys(endpoint: Endpoint, reply: ChatReply): ChatReply {
  if (answersOwnKeys.has(endpoint) || answersOneKey.has(endpoint)) return reply;
  const { buffer, byteOffset, byteLength } = reply.body;
  // Shares the bytes with the reply, because few replies have a key.
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (!bytes.includes('"api_key"')) return reply;
  // Latin 1 maps each byte to a character, so the reply is neither decoded nor validated.
  const text = bytes.toString('latin1');
  return { ...reply, body: Buffer.from(text.replace(keyed, '"api_key":""'), 'latin1') };
}
