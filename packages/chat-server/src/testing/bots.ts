import * as api from '@engawa/protocol';
import * as eg from './eg.ts';

export interface TestBot {
  readonly id: number;
  readonly email: string;
  readonly key: string;
  readonly client: eg.Client;
}

interface BotOptions extends Partial<api.ParametersIn<typeof api.createBot>> {
  /** The streams to which the owner subscribes the bot. */
  readonly streams?: readonly string[];
}

/** Creates a bot, as its owner would. */
export async function botOf(server: eg.Server, owner: string, { streams = [], ...options }: BotOptions = {}): Promise<TestBot> {
  const client = eg.signIn(server, owner);
  const created = await client.ok(api.createBot, { full_name: '警報 係', short_name: 'keihou', ...options });
  const { user_id: id, api_key: key } = created;
  if (streams.length > 0) {
    await client.ok(api.subscribe, { subscriptions: streams.map((name) => ({ name })), principals: [id] });
  }
  const { user } = await client.ok(api.getUser, { user_id: id });
  return { id, email: user.email, key, client: eg.withKey(server, user.email, key) };
}
