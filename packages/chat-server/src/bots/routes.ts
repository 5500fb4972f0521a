import {
  type ParametersOut,
  createBot,
  deactivateBot,
  getBotApiKey,
  getBots,
  regenerateBotApiKey,
  roles,
  updateBot,
} from '@engawa/protocol';
import { replaceApiKeys } from '../accounts/apiKeys.ts';
import { type Clock, seconds } from '../clock.ts';
import { ownerReads, visibleStream } from '../conversations/access.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { type BotDefaults, type BotRow, bots, refuseTooManyBots } from '../identity/bots.ts';
import { memberNow } from '../identity/currentMember.ts';
import { cleanFullName } from '../identity/fullName.ts';
import { type Member, isAdministrator, isGuest, viewerOf } from '../identity/member.ts';
import { refuseSameLook } from '../identity/sameLook.ts';
import { users } from '../identity/store.ts';
import { leaveWithOwner } from '../streams/subscribe.ts';
import { type ActivityDependencies, deactivate } from '../users/activity.ts';
import { type BotChange, publishBot, publishNewUser, publishUser } from '../users/events.ts';
import { changeName, changeRole, limitRole } from '../users/update.ts';
import { administeredBot, ownBot, requireBotCreation } from './access.ts';
import { botAddress } from './address.ts';
import { defaultsView } from './view.ts';

export interface BotDependencies extends ActivityDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly realm: { readonly url: string };
}

export function botRoutes(dependencies: BotDependencies): Route[] {
  const { database, log } = dependencies;
  return [
    memberRoute(createBot, (request, { member }) =>
      database.write((tx) => {
        const bot = create(tx, dependencies, memberNow(tx, member), request);
        const { id: user_id, api_key, avatar_url } = bot;
        return { user_id, api_key, avatar_url, ...defaultsView(tx, bot) };
      }),
    ),

    memberRoute(getBots, (_, { member }) =>
      database.snapshot((reader) => {
        const own = bots.ofOwner(reader, member.id).filter(({ is_active }) => is_active);
        return {
          bots: own.map((bot) => {
            const { id: user_id, email: username, full_name, api_key, avatar_url } = bot;
            return { username, full_name, api_key, avatar_url, ...defaultsView(reader, bot), user_id };
          }),
        };
      }),
    ),

    memberRoute(updateBot, ({ bot_id, ...change }, { member }) =>
      database.write((tx) => {
        update(tx, dependencies, memberNow(tx, member), bot_id, change);
        const bot = existing(tx, bot_id);
        return { full_name: bot.full_name, avatar_url: bot.avatar_url, ...defaultsView(tx, bot) };
      }),
    ),

    memberRoute(deactivateBot, ({ bot_id }, { member }) =>
      database.write((tx) => {
        const now = memberNow(tx, member);
        deactivate(tx, dependencies, now, administeredBot(tx, now, bot_id));
      }),
    ),

    memberRoute(regenerateBotApiKey, ({ bot_id }, { member }) =>
      database.write((tx) => {
        const bot = ownBot(tx, memberNow(tx, member), bot_id);
        const api_key = renewKey(tx, dependencies, bot.id);
        publishBot(tx, log, bot, ['api_key']);
        return { api_key };
      }),
    ),

    memberRoute(getBotApiKey, ({ bot_id }, { member }) => {
      const { api_key } = ownBot(database.reader, member, bot_id);
      if (api_key === '') throw refused.because('The key of this bot has ended. Please create a new one.');
      return { api_key };
    }),
  ];
}

function existing(reader: Reader, id: number): BotRow {
  const bot = bots.byId(reader, id);
  if (!bot) throw new Error(`there is no bot ${id}`);
  return bot;
}

/** Ends the earlier key and the queues that it registered. */
function renewKey(tx: Transaction, { queues, clock }: BotDependencies, botId: number): string {
  const key = replaceApiKeys(tx, queues, botId, seconds(clock));
  bots.setKey(tx, botId, key);
  return key;
}

function create(
  tx: Transaction,
  { log, queues, clock, realm }: BotDependencies,
  owner: Member,
  { full_name, short_name, bot_type, ...request }: ParametersOut<typeof createBot>,
): BotRow {
  requireBotCreation(tx, owner);
  refuseTooManyBots(tx, owner.id, true);
  const email = botAddress(short_name, realm.url);
  if (users.byEmail(tx, email)) throw refused.addressTaken(email);
  const now = seconds(clock);
  const id = bots.insertUser(tx, {
    email,
    full_name: cleanFullName(full_name),
    // An administrator may grant more later.
    role: roles.member,
    bot_type,
    bot_owner_id: owner.id,
    date_joined: now,
  });
  refuseSameLook(tx, [id], 'own');
  const api_key = replaceApiKeys(tx, queues, id, now);
  const none = { default_sending_stream: null, default_events_register_stream: null, default_all_public_streams: 0 };
  bots.insert(tx, { user_id: id, api_key, ...none });
  bots.setDefaults(tx, id, defaultsAfter(tx, owner, existing(tx, id), request));
  publishNewUser(tx, log, id, roles.member);
  const bot = existing(tx, id);
  publishBot(tx, log, bot, 'new');
  return bot;
}

type Change = Omit<ParametersOut<typeof updateBot>, 'bot_id'>;

function update(tx: Transaction, dependencies: BotDependencies, member: Member, botId: number, change: Change): void {
  const { log, queues } = dependencies;
  const { full_name, role, bot_owner_id: ownerId, ...defaults } = change;
  const bot = administeredBot(tx, member, botId);
  if ((role !== undefined || ownerId !== undefined) && !isAdministrator(member)) throw refused.notPermitted();
  if (full_name !== undefined)
    changeName(tx, log, bot, cleanFullName(full_name), bot.bot_owner_id === member.id ? 'own' : 'given');
  if (role !== undefined) changeRole(tx, log, queues, member, existing(tx, botId), role);
  if (ownerId !== undefined) transfer(tx, dependencies, existing(tx, botId), ownerId);
  const before = existing(tx, botId);
  const after = defaultsAfter(tx, member, before, defaults);
  const changed = (['default_sending_stream', 'default_events_register_stream', 'default_all_public_streams'] as const).filter(
    (name) => before[name] !== after[name],
  );
  if (changed.length === 0) return;
  bots.setDefaults(tx, botId, after);
  publishBot(tx, log, before, changed);
}

/** The former owner knows the key, so the bot gets a new one. It leaves the streams that the new owner does not read. */
function transfer(tx: Transaction, dependencies: BotDependencies, bot: BotRow, ownerId: number): void {
  if (ownerId === bot.bot_owner_id) return;
  const { log, queues } = dependencies;
  const owner = users.byId(tx, ownerId);
  if (!owner || owner.is_bot) throw refused.because('Failed to change owner, user does not exist');
  if (!owner.is_active) throw refused.because('Failed to change owner, user is deactivated');
  if (isGuest(owner)) throw refused.because('Failed to change owner, user is a guest');
  refuseTooManyBots(tx, ownerId, true);
  bots.setOwner(tx, bot.id, ownerId);
  publishUser(tx, log, bot.id, { bot_owner_id: ownerId });
  limitRole(tx, log, queues, existing(tx, bot.id), owner);
  leaveWithOwner(tx, log, [existing(tx, bot.id)]);
  renewKey(tx, dependencies, bot.id);
  log.append(tx, {
    type: 'realm_bot',
    reach: 'everyone',
    payload: { op: 'transfer', userId: bot.id, from: bot.bot_owner_id } satisfies BotChange,
  });
}

type Defaults = Pick<Change, keyof BotDefaults>;

/** @throws ChatError for a stream that the caller or the owner does not read. */
function defaultsAfter(reader: Reader, caller: Member, bot: BotRow, request: Defaults): BotDefaults {
  const streamAfter = (name: string | undefined, before: number | null): number | null => {
    if (name === undefined) return before;
    if (name === '') return null;
    const stream = visibleStream(reader, caller, name);
    if (!stream || !ownerReads(reader, viewerOf(bot), stream.conversation_id)) throw refused.noSuchStream(name);
    return stream.conversation_id;
  };
  const { default_sending_stream, default_events_register_stream, default_all_public_streams: all } = request;
  return {
    default_sending_stream: streamAfter(default_sending_stream, bot.default_sending_stream),
    default_events_register_stream: streamAfter(default_events_register_stream, bot.default_events_register_stream),
    default_all_public_streams: all === undefined ? bot.default_all_public_streams : Number(all),
  };
}
