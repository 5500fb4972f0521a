import type { Database } from '@engawa/chat-server/database';
import { deactivateBot, regenerateBotApiKey, updateBot } from '@engawa/client';
import { botTypes, roles } from '@engawa/protocol';
import { type Hook, type HookChange, type HookSecrets, type NewHook, externalAddress, hookAddress } from '@engawa/protocol/hooks';
import type { ChatBackend } from '../chat/backend.ts';
import type { ConnectAs } from '../chat/connections.ts';
import { refused } from '../http/errors.ts';
import type { Log } from '../log/log.ts';
import type { Member } from '../sessions/member.ts';
import { createToken, hashOf } from '../sessions/seal.ts';
import { createHookBot } from './bot.ts';
import { type HookRow, hooks } from './store.ts';

export interface HookDependencies {
  readonly database: Database;
  readonly chat: Pick<ChatBackend, 'conversations'> & { readonly hooks: NonNullable<ChatBackend['hooks']> };
  readonly connectAs: ConnectAs;
  /** The public address of the product. */
  readonly address: () => string;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * The hooks of members. A hook posts as its own bot, and its name and owner are those of the bot. Only the hash of the token is
 * stored, so the address is shown once.
 */
export class OwnedHooks {
  readonly #dependencies: HookDependencies;

  constructor(dependencies: HookDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param ownerId undefined: everybody's. The work grows with the number of all hooks. */
  list(ownerId?: number): Hook[] {
    const all = hooks.all(this.#dependencies.database.reader).map((row) => this.#view(row));
    return ownerId === undefined ? all : all.filter((hook) => hook.owner_id === ownerId);
  }

  /** @throws ApiError if the member may create no bots */
  async create(member: Member, { name, stream_id, topic }: NewHook): Promise<HookSecrets> {
    const { database, connectAs, now, log } = this.#dependencies;
    this.#requireStream(member.id, stream_id);
    const connection = connectAs(member.authorization);
    const token = createToken();
    const created = Math.floor(now() / 1000);
    const { user_id, api_key } = await createHookBot(
      { connection, log },
      { name, type: botTypes.incomingWebhook },
      async (bot) => {
        const row = { bot_id: bot.user_id, owner_id: member.id, token_hash: hashOf(token), stream_id, topic, created };
        await database.write((tx) => hooks.insert(tx, row));
        return bot;
      },
    );
    return this.#secrets(user_id, token, api_key);
  }

  /** @throws RefusedError for a hook that is not the member's, unless they are an administrator */
  async change(member: Member, botId: number, change: HookChange): Promise<Hook> {
    const { database, connectAs } = this.#dependencies;
    const { row, hook } = this.#managed(member, botId);
    const { name, stream_id = row.stream_id, topic = row.topic } = change;
    // An administrator may move the hook of a member, but not into a stream that they cannot use themselves.
    if (stream_id !== row.stream_id) for (const id of [member.id, hook.owner_id ?? 0]) this.#requireStream(id, stream_id);
    if (name !== undefined && name !== hook.name) {
      await updateBot(connectAs(member.authorization), { bot_id: botId, full_name: name });
    }
    await database.write((tx) => hooks.setPlace(tx, botId, { stream_id, topic }));
    return this.#view({ ...row, stream_id, topic });
  }

  /** Ends the earlier address and the earlier key. Only the owner gets new ones. */
  async renew(member: Member, botId: number): Promise<HookSecrets> {
    const { database, connectAs } = this.#dependencies;
    if (this.#managed(member, botId).hook.owner_id !== member.id) throw refused.noSuchHook();
    const { api_key } = await regenerateBotApiKey(connectAs(member.authorization), { bot_id: botId });
    const token = createToken();
    await database.write((tx) => hooks.setToken(tx, botId, member.id, hashOf(token)));
    return this.#secrets(botId, token, api_key);
  }

  async remove(member: Member, botId: number): Promise<void> {
    const { database, connectAs } = this.#dependencies;
    const { hook } = this.#managed(member, botId);
    // The address ends first, and the bot after it: a failure between them leaves no address that works.
    await database.write((tx) => hooks.remove(tx, botId));
    if (hook.is_active) await deactivateBot(connectAs(member.authorization), { bot_id: botId });
  }

  #managed({ id, role }: Member, botId: number): { readonly row: HookRow; readonly hook: Hook } {
    const row = hooks.ofBot(this.#dependencies.database.reader, botId);
    const hook = row && this.#view(row);
    if (!row || !hook || (hook.owner_id !== id && role > roles.administrator)) throw refused.noSuchHook();
    return { row, hook };
  }

  /** One answer for a missing stream and for one in which the owner cannot write. */
  #requireStream(ownerId: number, streamId: number): void {
    if (!this.#dependencies.chat.conversations.mayJoin(ownerId, streamId)) throw refused.noSuchConversation();
  }

  #view({ bot_id, stream_id, topic, created, used, error, error_time }: HookRow): Hook {
    const bot = this.#dependencies.chat.hooks.bot(bot_id);
    return {
      id: bot_id,
      name: bot?.name ?? '',
      owner_id: bot?.ownerId ?? null,
      stream_id,
      topic,
      is_active: bot?.isActive ?? false,
      created,
      used,
      last_error: error === null || error_time === null ? null : { code: error, time: error_time },
    };
  }

  #secrets(botId: number, token: string, api_key: string): HookSecrets {
    const { database, address } = this.#dependencies;
    const row = hooks.ofBot(database.reader, botId);
    if (!row) throw refused.noSuchHook();
    const at = address();
    return { hook: this.#view(row), address: `${at}${hookAddress}${token}`, external: `${at}${externalAddress}`, api_key };
  }
}
