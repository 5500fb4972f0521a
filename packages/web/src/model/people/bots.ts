/** The member's bots, and for administrators those of others. Loaded on demand. */
import { createBot, deactivateBot, getBotApiKey, reactivateUser, regenerateBotApiKey, updateBot } from '@engawa/client';
import type { BotType, User } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { z } from 'zod/mini';
import { compareNames } from '../collation.ts';
import type { Failure } from '../connection/failure.ts';
import { askProduct } from '../connection/productCall.ts';
import type { ModelContext } from '../context.ts';
import { memoise } from '../memoise.ts';
import { personOf, type Person } from './selectors.ts';
import type { PeopleState } from './state.ts';

export interface BotView extends Person {
  readonly isActive: boolean;
  readonly botType: number;
  readonly ownerId: number | undefined;
}

interface NewBot {
  readonly fullName: string;
  readonly shortName: string;
  readonly type: BotType;
}

/** Each call returns the failure, if any. The change itself arrives by an event. */
export interface OwnBots {
  createBot(bot: NewBot): Promise<{ readonly userId: number } | Failure>;
  renameBot(userId: number, fullName: string): Promise<Failure | undefined>;
  setBotPicture(userId: number, image: Blob | 'none'): Promise<Failure | undefined>;
  /** By administrators. The bot gets a new key. */
  giveBot(userId: number, ownerId: number): Promise<Failure | undefined>;
  deactivateBot(userId: number): Promise<Failure | undefined>;
  /** By administrators. */
  reactivateBot(userId: number): Promise<Failure | undefined>;
  botKey(userId: number): Promise<{ readonly key: string } | Failure>;
  renewBotKey(userId: number): Promise<{ readonly key: string } | Failure>;
}

/** Milliseconds. Long, because a telephone may upload 5 MB slowly. */
const pictureTimeoutMilliseconds = 120_000;

export function createOwnBots(context: ModelContext<PeopleState>): OwnBots {
  const { attempt, connection, stop: signal } = context;
  const done = (call: () => Promise<unknown>) =>
    attempt(async () => {
      await call();
      return undefined;
    });
  return {
    createBot: ({ fullName: full_name, shortName: short_name, type: bot_type }) =>
      attempt(async () => {
        const { user_id: userId } = await createBot(connection, { full_name, short_name, bot_type }, { signal });
        return { userId };
      }),
    renameBot: (bot_id, full_name) => done(() => updateBot(connection, { bot_id, full_name }, { signal })),
    setBotPicture: (userId, image) =>
      done(() => {
        const body = new FormData();
        if (image === 'none') body.append('picture', image);
        else body.append('image', image);
        const path = `${paths.bots}${userId}/picture`;
        const timeoutMilliseconds = pictureTimeoutMilliseconds;
        return askProduct(context, { method: 'POST', path, body, answer: z.unknown(), timeoutMilliseconds });
      }),
    giveBot: (bot_id, bot_owner_id) => done(() => updateBot(connection, { bot_id, bot_owner_id }, { signal })),
    deactivateBot: (bot_id) => done(() => deactivateBot(connection, { bot_id }, { signal })),
    reactivateBot: (user_id) => done(() => reactivateUser(connection, { user_id }, { signal })),
    botKey: (bot_id) => attempt(async () => ({ key: (await getBotApiKey(connection, { bot_id }, { signal })).api_key })),
    renewBotKey: (bot_id) =>
      attempt(async () => ({ key: (await regenerateBotApiKey(connection, { bot_id }, { signal })).api_key })),
  };
}

const botsOf = memoise((users: ReadonlyMap<number, User>, directory: PeopleState['directory']): readonly BotView[] =>
  [...users.values()]
    .filter(({ is_bot }) => is_bot)
    .map((user) => ({
      ...personOf(user, directory),
      isActive: user.is_active !== false,
      botType: user.bot_type ?? 0,
      ownerId: user.bot_owner_id ?? undefined,
    }))
    .toSorted((one, other) => Number(other.isActive) - Number(one.isActive) || compareNames(one.fullName, other.fullName)),
);

/** All bots, the active ones first. */
export const selectBots = ({ users, directory }: PeopleState) => botsOf(users, directory);
