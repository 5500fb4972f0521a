import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { seeded } from '@engawa/chat-server/testing/random';
import {
  type Connection,
  addReaction,
  addressStream,
  connect,
  deleteMessage,
  deleteQueue,
  editMessage,
  fetchApiKey,
  getEvents,
  getMessages,
  registerQueue,
  sendMessage,
  setTypingStatus,
  updateMessageFlags,
  updatePresence,
} from '@engawa/client';
import { composeFileMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { basicAuthorization } from '../../chat/connections.ts';
import { emailOf } from '../product.ts';
import { type BegunProcess, beginProcess, builtProgram } from '../serverProcess.ts';
import { type Reading, reading } from './reading.ts';

export interface SoakOptions {
  readonly rounds: number;
  /** The load of a round is repeated this often before each reading. */
  readonly turnsPerRound: number;
  /** Rounds that are not counted, while code is compiled and caches fill. */
  readonly warmUp: number;
  readonly dataDirectory: string;
  readonly program?: string;
  readonly tell?: (reading: Reading, round: number) => void;
  /** Checked before each round; true ends the run early. */
  readonly isOver?: () => boolean;
}

const stream = 'プロダクト開発部';
const names = ['sato', 'suzuki'] as const;
const probe = new URL('./probe.ts', import.meta.url).href;

export async function soak({
  rounds,
  turnsPerRound,
  warmUp,
  dataDirectory,
  program = builtProgram,
  tell,
  isOver = () => false,
}: SoakOptions): Promise<readonly Reading[]> {
  const server = beginProcess(program, dataDirectory, {
    environment: { RATE_LIMIT: 'none' },
    nodeArguments: ['--import', probe],
    withChannel: true,
  });
  try {
    const address = await server.ready;
    const members = await Promise.all(names.map((name) => memberAt(address, name)));
    const readings: Reading[] = [];
    for (let round = -warmUp; round < rounds && !isOver(); round += 1) {
      for (let turn = 0; turn < turnsPerRound; turn += 1) {
        const seed = turn * names.length;
        await Promise.all(members.map((member, index) => play(address, member, seed + index)));
      }
      const read = await readingOf(server);
      if (round >= 0) readings.push(read);
      tell?.(read, round + 1);
    }
    return readings;
  } finally {
    await server.end('SIGKILL');
  }
}

async function readingOf({ child }: BegunProcess): Promise<Reading> {
  const answer = once(child, 'message');
  child.send('read');
  const [read] = await answer;
  return reading.parse(read);
}

interface Member {
  readonly connection: Connection;
  readonly authorization: string;
  readonly username: string;
}

async function memberAt(realm: string, name: string): Promise<Member> {
  const username = emailOf(name);
  const { api_key: apiKey } = await fetchApiKey(connect({ realm }), { username, password: 'demo' });
  return { connection: connect({ realm, username, apiKey }), authorization: basicAuthorization(username, apiKey), username };
}

/** Uses every part of the product and closes what it opens. */
async function play(address: string, member: Member, seed: number): Promise<void> {
  const { connection } = member;
  const random = seeded(seed);
  const place = { type: 'stream', to: addressStream(stream), topic: 'stream events' } as const;
  const say = async (content: string) =>
    (await sendMessage(connection, { ...place, content, client_message_id: randomUUID() })).id;

  const { queue_id, last_event_id } = await registerQueue(connection, { event_types: ['message', 'typing', 'presence'] });
  const heard = getEvents(connection, { queue_id, last_event_id });
  await setTypingStatus(connection, { op: 'start', type: 'direct', to: '[2]' });
  const ids: number[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(await say(`${seed} ${count} 打ち合わせの資料を共有します。`));
  await heard;
  const [first = 0, second = 0] = ids;
  await editMessage(connection, { message_id: first, content: `${seed} 訂正します。` });
  await deleteMessage(connection, { message_id: second });
  await addReaction(connection, { message_id: first, emoji_name: 'tea' });
  await updateMessageFlags(connection, { messages: [first], op: 'add', flag: 'read' });
  await updatePresence(connection, { status: 'active', ping_only: false, new_user_input: true });
  const narrow = [{ operator: 'search', operand: random.pick(['資料', '会議', '訂正']) }];
  await getMessages(connection, { anchor: 'newest', num_before: 20, num_after: 0, narrow, apply_markdown: false });
  await say(await upload(address, member));
  // Aborts a poll, like a client that loses its network.
  const away = new AbortController();
  const waiting = getEvents(connection, { queue_id, last_event_id: last_event_id + 1_000_000 }, { signal: away.signal }).catch(
    () => undefined,
  );
  away.abort();
  await waiting;
  await deleteQueue(connection, { queue_id });
  await browse(address, member.username);
}

async function upload(address: string, { authorization }: Member): Promise<string> {
  const storedName = `${randomUUID().replaceAll('-', '').slice(0, 20)}.bin`;
  const content = Buffer.alloc(20_000, storedName);
  const form = new FormData();
  form.append('file', new File([content], '図面.bin'));
  form.append('dstFileName', storedName);
  const answer = await fetch(address + paths.upload, { method: 'POST', body: form, headers: { authorization } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`the upload was answered with ${answer.status}`);
  return composeFileMessage({ name: '図面.bin', storedName, size: content.length });
}

async function browse(address: string, email: string): Promise<void> {
  const own = { 'sec-fetch-site': 'same-origin' };
  const entered = await fetch(address + paths.session, {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  await entered.arrayBuffer();
  const cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(';', 1).join(''))
    .join('; ');
  if (entered.status !== 200 || cookie === '') throw new Error(`the sign-in was answered with ${entered.status}`);
  for (const path of [paths.departmentTree, paths.profile, '/api/v1/users/me']) {
    const answer = await fetch(address + path, { headers: { ...own, cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
  }
  await (await fetch(address + paths.logout, { method: 'POST', headers: { ...own, cookie }, redirect: 'manual' })).arrayBuffer();
}
