import type { Database, Reader, Transaction } from '@engawa/chat-server/database';
import { deactivateBot, subscribe, updateBot } from '@engawa/client';
import { botTypes, roles } from '@engawa/protocol';
import {
  type HookOrigin,
  type NewOutgoingHook,
  type OutgoingHook,
  type OutgoingHookChange,
  type OutgoingHookSecrets,
  maxHookOrigins,
  maxOutgoingHooks,
} from '@engawa/protocol/outgoing-hooks';
import type { ChatBackend } from '../../chat/backend.ts';
import type { ConnectAs } from '../../chat/connections.ts';
import { refused } from '../../http/errors.ts';
import type { Log } from '../../log/log.ts';
import type { Member } from '../../sessions/member.ts';
import { createHookBot } from '../bot.ts';
import { allowedAddress, originIn } from './origins.ts';
import type { OutgoingPosts } from './posts.ts';
import { createSecret, tokenOf } from './signature.ts';
import { type Destination, type OutgoingHookRow, hookOrigins, outgoingHooks, streamIdsOf } from './store.ts';

export interface OwnedHookDependencies {
  readonly database: Database;
  readonly chat: NonNullable<ChatBackend['outgoingHooks']>;
  readonly connectAs: ConnectAs;
  readonly posts: Pick<OutgoingPosts, 'restart'>;
  readonly now: () => number;
  readonly log: Log;
}

type Subscriptions = { readonly name: string }[];

/**
 * The outgoing hooks of members. A bot has at most one, and the hook has its name and owner. The secret is shown to the owner
 * once, and signs each post.
 */
export class OwnedOutgoingHooks {
  readonly #dependencies: OwnedHookDependencies;

  constructor(dependencies: OwnedHookDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param ownerId undefined: everybody's. At most `maxOutgoingHooks`. */
  list(ownerId?: number): OutgoingHook[] {
    const all = outgoingHooks.all(this.#dependencies.database.reader).map((row) => this.#view(row));
    return ownerId === undefined ? all : all.filter((hook) => hook.owner_id === ownerId);
  }

  origins(): HookOrigin[] {
    return hookOrigins
      .all(this.#dependencies.database.reader)
      .map(({ origin, is_private }) => ({ origin, is_private: is_private === 1 }));
  }

  /** @throws ApiError if the member may create no bots or may not add the bot to a stream */
  async create(member: Member, { address, stream_ids, ...bot }: NewOutgoingHook): Promise<OutgoingHookSecrets> {
    const { database, connectAs, log } = this.#dependencies;
    this.#requireAddress(address);
    // Counted before the bot is created, and again in the transaction.
    this.#requireRoom(database.reader);
    const subscriptions = this.#subscriptionsTo(member, stream_ids);
    const insert = async (botId: number) => {
      await this.#join(member, botId, subscriptions);
      return this.#insert(member, botId, { address, stream_ids: JSON.stringify(stream_ids) });
    };
    if ('bot_id' in bot) return insert(this.#ownBot(member, bot.bot_id));
    const caller = { connection: connectAs(member.authorization), log };
    return createHookBot(caller, { name: bot.name, type: botTypes.outgoingWebhook }, ({ user_id }) => insert(user_id));
  }

  async #insert(member: Member, bot_id: number, destination: Destination): Promise<OutgoingHookSecrets> {
    const { database, chat, now, posts } = this.#dependencies;
    const secret = createSecret();
    const created = Math.floor(now() / 1000);
    await database.write((tx) => {
      this.#requireRoom(tx);
      if (outgoingHooks.of(tx, bot_id)) throw refused.botHasHook();
      outgoingHooks.insert(tx, { bot_id, owner_id: member.id, secret, created, cursor: chat.newest(), ...destination });
    });
    posts.restart(bot_id);
    return this.#secrets(bot_id);
  }

  /**
   * The owner changes everything. An administrator only turns the hook off, and on again if an administrator turned it off.
   * @throws RefusedError for another member's hook
   */
  async change(member: Member, botId: number, change: OutgoingHookChange): Promise<OutgoingHook> {
    const { database, connectAs, posts } = this.#dependencies;
    const row = this.#managed(member, botId);
    const { name, address = row.address, stream_ids, is_on: isOn } = change;
    if (!this.#isOwner(member, botId)) {
      const isMore = name !== undefined || change.address !== undefined || stream_ids !== undefined;
      if (isMore || isOn === undefined || (isOn && row.off !== 'administrator')) throw refused.noSuchOutgoingHook();
      if (isOn) this.#requireAddress(address);
      await database.write((tx) => {
        if (isOn) this.#turnOn(tx, member, botId);
        else outgoingHooks.turnOff(tx, botId, 'administrator');
      });
    } else {
      if (address !== row.address || isOn) this.#requireAddress(address);
      // Checked before the bot changes, and again in the transaction.
      if (isOn) this.#requireMayTurnOn(database.reader, member, botId);
      const subscriptions = this.#subscriptionsTo(member, stream_ids ?? []);
      if (name !== undefined) await updateBot(connectAs(member.authorization), { bot_id: botId, full_name: name });
      await this.#join(member, botId, subscriptions);
      await database.write((tx) => {
        const streams = stream_ids ? JSON.stringify(stream_ids) : row.stream_ids;
        outgoingHooks.setDestination(tx, botId, { address, stream_ids: streams });
        if (isOn === false) outgoingHooks.turnOffIfOn(tx, botId, 'owner');
        if (isOn) this.#turnOn(tx, member, botId);
      });
    }
    posts.restart(botId);
    return this.#shown(botId);
  }

  /** Posts from now on are signed with the new secret. Only the owner gets it. A new owner turns the hook on afterwards. */
  async renew(member: Member, botId: number): Promise<OutgoingHookSecrets> {
    this.#requireOwner(member, botId);
    await this.#dependencies.database.write((tx) => {
      const { off, owner_id } = this.#requireRow(tx, botId);
      outgoingHooks.setSecret(tx, botId, member.id, createSecret());
      const isOthers = owner_id !== member.id || off === 'owner_changed';
      if (isOthers && off !== 'administrator') outgoingHooks.turnOff(tx, botId, 'owner');
    });
    return this.#secrets(botId);
  }

  /** Repeats a failed post now. */
  async retry(member: Member, botId: number): Promise<OutgoingHook> {
    this.#requireOwner(member, botId);
    await this.#dependencies.database.write((tx) => outgoingHooks.retryNow(tx, botId));
    this.#dependencies.posts.restart(botId);
    return this.#shown(botId);
  }

  /** The bot of a hook ends with it, but a bot of another type goes on. */
  async remove(member: Member, botId: number): Promise<void> {
    const { database, chat, connectAs, posts } = this.#dependencies;
    this.#managed(member, botId);
    await database.write((tx) => outgoingHooks.remove(tx, botId));
    posts.restart(botId);
    const bot = chat.bot(botId);
    if (bot?.isActive && bot.type === botTypes.outgoingWebhook) {
      await deactivateBot(connectAs(member.authorization), { bot_id: botId });
    }
  }

  /** Adds or replaces an allowed origin. The caller is an administrator. */
  async allow(text: string, isPrivate: boolean): Promise<void> {
    const origin = originIn(text);
    if (origin === undefined) throw refused.hookOriginMalformed();
    await this.#dependencies.database.write((tx) => {
      if (!hookOrigins.of(tx, origin) && hookOrigins.all(tx).length >= maxHookOrigins) {
        throw refused.tooManyHookOrigins(maxHookOrigins);
      }
      hookOrigins.put(tx, origin, isPrivate ? 1 : 0);
    });
  }

  async disallow(origin: string): Promise<void> {
    await this.#dependencies.database.write((tx) => hookOrigins.remove(tx, origin));
  }

  #requireAddress(address: string): void {
    if (!allowedAddress(this.#dependencies.database.reader, address)) throw refused.hookAddressNotAllowed();
  }

  #turnOn(tx: Transaction, member: Member, botId: number): void {
    const { off } = this.#requireMayTurnOn(tx, member, botId);
    if (off !== null) outgoingHooks.turnOn(tx, botId, this.#dependencies.chat.newest());
  }

  /** The former owner of a bot knows the secret, so the present owner renews it first. */
  #requireMayTurnOn(reader: Reader, { role }: Member, botId: number): OutgoingHookRow {
    const row = this.#requireRow(reader, botId);
    if (row.off === 'administrator' && role > roles.administrator) throw refused.hookOffByAdministrator();
    const isOthers = this.#dependencies.chat.bot(botId)?.ownerId !== row.owner_id;
    if (isOthers || row.off === 'owner_changed') throw refused.hookSecretNotRenewed();
    return row;
  }

  #requireRow(reader: Reader, botId: number): OutgoingHookRow {
    const row = outgoingHooks.of(reader, botId);
    if (!row) throw refused.noSuchOutgoingHook();
    return row;
  }

  #requireRoom(reader: Reader): void {
    const count = outgoingHooks.count(reader) ?? 0;
    if (count >= maxOutgoingHooks) throw refused.tooManyOutgoingHooks(maxOutgoingHooks);
  }

  #ownBot(member: Member, botId: number): number {
    if (!this.#isOwner(member, botId)) throw refused.noSuchOutgoingHook();
    return botId;
  }

  /** @throws RefusedError for a stream that the member does not see */
  #subscriptionsTo(member: Member, streamIds: readonly number[]): Subscriptions {
    return streamIds.map((id) => {
      const name = this.#dependencies.chat.streamName(member.id, id);
      if (name === undefined) throw refused.noSuchConversation();
      return { name };
    });
  }

  /** Only a subscriber receives the messages of a stream. */
  async #join(member: Member, botId: number, subscriptions: Subscriptions): Promise<void> {
    const connection = this.#dependencies.connectAs(member.authorization);
    if (subscriptions.length > 0) await subscribe(connection, { subscriptions, principals: [botId] });
  }

  #isOwner({ id }: Member, botId: number): boolean {
    return this.#dependencies.chat.bot(botId)?.ownerId === id;
  }

  #requireOwner(member: Member, botId: number): void {
    this.#managed(member, botId);
    if (!this.#isOwner(member, botId)) throw refused.noSuchOutgoingHook();
  }

  #managed(member: Member, botId: number): OutgoingHookRow {
    const row = outgoingHooks.of(this.#dependencies.database.reader, botId);
    if (!row || !(this.#isOwner(member, botId) || member.role <= roles.administrator)) throw refused.noSuchOutgoingHook();
    return row;
  }

  #shown(botId: number): OutgoingHook {
    return this.#view(this.#requireRow(this.#dependencies.database.reader, botId));
  }

  #view(row: OutgoingHookRow): OutgoingHook {
    const { bot_id: id, error, error_time: time, attempts, next_attempt: at } = row;
    const bot = this.#dependencies.chat.bot(id);
    return {
      id,
      name: bot?.name ?? '',
      owner_id: bot?.ownerId ?? null,
      address: row.address,
      stream_ids: streamIdsOf(row),
      off: row.off,
      created: row.created,
      last_success: row.last_success,
      last_error: error === null || time === null ? null : { code: error, time, status: row.error_status },
      retry: at === null ? null : { attempts, at },
      dropped: row.dropped,
    };
  }

  #secrets(botId: number): OutgoingHookSecrets {
    const row = this.#requireRow(this.#dependencies.database.reader, botId);
    return { hook: this.#view(row), secret: row.secret, token: tokenOf(row.secret) };
  }
}
