// One history for all measurements of a run: it is made when the first of them asks, and gone when the run ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer } from '../../scripts/build.mjs';
import { answerIn, callsOf } from './chatCalls.mjs';
import { all, credentialsOf, makeFolder, openChat } from './dataFolder.mjs';

const sizes = {
  short: { messages: 100_000, members: 2000, behind: 10_000, returning: 200 },
  long: { messages: 1_000_000, members: 2000, behind: 100_000, returning: 2000 },
};

let made;

/** @typedef {{ directory: string, messages: number, members: number, behind: number, returning: number, contentBytes: number, bytes: number, eventBytes: number }} History */

/** @returns {Promise<History>} */
export function historyFor({ long, tell }) {
  made ??= make(long ? sizes.long : sizes.short, tell);
  return made;
}

async function make(size, tell) {
  await buildServer();
  const directory = mkdtempSync(join(tmpdir(), 'engawa-history-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  tell(`a history of ${size.messages.toLocaleString('en')} messages and ${size.members} members is made …`);
  return { directory, ...size, ...(await makeFolder({ directory, ...size })) };
}

/** Does something with the history's chat server in this process, once its index is whole. */
export async function withChat({ directory }, does) {
  const chat = openChat(directory);
  const call = callsOf(chat);
  try {
    await untilIndexed(call);
    return await does(call);
  } finally {
    await chat.close();
  }
}

/** Asks for what there is nowhere until the whole index says so. */
async function untilIndexed(call) {
  const narrow = JSON.stringify([['search', '鬱蒼']]);
  const asked = { anchor: 'newest', num_before: '20', num_after: '0', narrow };
  for (;;) {
    const answer = await call('GET', '/messages', asked, credentialsOf(all));
    if (answer.status !== 503) return answerIn(answer);
  }
}
