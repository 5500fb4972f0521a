/** Makes the calls of the permission table as bots: they get the answer of their owner, or a refusal. */
import * as api from '@engawa/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { endpointOf } from '../testing/endpoints.ts';
import { table } from './table.ts';
import {
  type Person,
  type ServerTemplate,
  type TestServer,
  createTemplate,
  lobby,
  secretTexts,
  secrets,
  serverFrom,
} from './testServer.ts';

let template: ServerTemplate;
beforeAll(async () => {
  template = await createTemplate();
});
afterAll(() => template.close());

type OwnerName = 'outside' | 'inside';
interface Bot {
  readonly at: TestServer;
  readonly me: Person;
  readonly client: eg.Client;
}

/** The bot is in the streams of its owner, has sent a message, and has a queue if it may read. */
async function withBot(owner: OwnerName, bot_type: api.BotType, check: (bot: Bot) => Promise<void>): Promise<void> {
  const at = serverFrom(template);
  try {
    const name = { full_name: '手伝い 係', short_name: 'tetsudai' };
    const { user_id: id, api_key: key } = await at.client(owner).ok(api.createBot, { ...name, bot_type });
    const streams = owner === 'inside' ? [lobby, secrets.name] : [lobby];
    const subscriptions = streams.map((each) => ({ name: each }));
    await at.client(owner).ok(api.subscribe, { subscriptions, principals: [id] });
    const email = 'tetsudai-bot@chat.example';
    const client = at.withKey(email, key);
    const { id: message } = await client.ok(api.sendMessage, { type: 'stream', to: lobby, topic: '雑談', content: '手伝います' });
    const reads = bot_type !== api.botTypes.incomingWebhook;
    const queue = reads ? await client.ok(api.registerQueue, { fetch_event_types: [] }) : { queue_id: 'none', last_event_id: 0 };
    await check({ at, client, me: { id, email, key, message, queue: { id: queue.queue_id, cursor: queue.last_event_id } } });
  } finally {
    await at.close();
  }
}

/** A bot creates no private streams, which a subscription to an unknown name does. */
const refusedToBots = ['subscribe for the caller to accessible streams only', 'subscribe for the caller to a new stream'];

const rows = Object.entries(table).flatMap(([name, listed]) =>
  listed.map((row) => ({ name, endpoint: endpointOf(name), row, of: `${name} for ${row.title}` })),
);
type ListedRow = (typeof rows)[number];
const signedIn = rows.filter(({ endpoint }) => endpoint.authentication === 'basic');
const isGranted = ({ row }: ListedRow, owner: OwnerName) => typeof row.answers.get(owner) === 'string';

async function answer({ at, me, client }: Bot, { endpoint, row }: ListedRow): Promise<eg.Reply> {
  return client.reply(endpoint, row.parameters(at.secret, me, at));
}

/** Each granted row on its own server, because it may change what the others need; all refused ones on one. */
async function eachAnswer(
  owner: OwnerName,
  listed: readonly ListedRow[],
  check: (reply: eg.Reply, row: ListedRow, at: TestServer) => void,
) {
  const refused = listed.filter((row) => !isGranted(row, owner));
  const granted = listed.filter((row) => isGranted(row, owner));
  for (const some of [refused, ...granted.map((row) => [row])]) {
    await withBot(owner, api.botTypes.generic, async (bot) => {
      for (const row of some) check(await answer(bot, row), row, bot.at);
    });
  }
}

const forBots = signedIn.filter(({ endpoint }) => endpoint.bots !== 'none');

it('[R6.1] A bot gets every answer that its owner outside of the secret stream gets, and no secret', async () => {
  const differing: string[] = [];
  await eachAnswer('outside', forBots, ({ status, text }, row, at) => {
    if ((status === 200) !== isGranted(row, 'outside')) differing.push(row.of);
    const sent = JSON.stringify(row.row.parameters(at.secret, at.person('outside'), at));
    expect(
      secretTexts(at.secret).filter((word) => text.includes(word) && !sent.includes(word)),
      row.of,
    ).toEqual([]);
  });
  expect(differing).toEqual(refusedToBots);
});

it('[R6.1] A bot in the secret stream gets no answer that its owner does not get, and nothing of direct messages of the owner', async () => {
  const beyond: string[] = [];
  await eachAnswer('inside', forBots, ({ status, text }, row) => {
    if (status === 200 && !isGranted(row, 'inside')) beyond.push(row.of);
    for (const secret of [secrets.direct, secrets.deletedContent, secrets.word, secrets.draft]) {
      expect(text, row.of).not.toContain(secret);
    }
  });
  expect(beyond).toEqual([]);
});

it('A bot is refused every call that is for people', async () => {
  await withBot('inside', api.botTypes.generic, async (bot) => {
    for (const row of signedIn.filter(({ endpoint }) => endpoint.bots === 'none')) {
      const { msg } = eg.refusal(await answer(bot, row));
      expect(msg, row.of).toBe('This endpoint does not accept bot requests.');
    }
  });
});

it('A bot for incoming webhooks can only send messages and find out who it is', async () => {
  await withBot('inside', api.botTypes.incomingWebhook, async (bot) => {
    const open = new Set<string>();
    for (const row of forBots) {
      const reply = await answer(bot, row);
      if (row.endpoint.bots === 'all') open.add(row.name);
      else expect(eg.refusal(reply).msg, row.of).toBe('This API is not available to incoming webhook bots.');
    }
    expect([...open]).toEqual(['getOwnUser', 'sendMessage']);
  });
});
