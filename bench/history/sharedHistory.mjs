// One history for all measurements of a run. It is created for the first one and deleted when the run ends.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callsOf, untilIndexed } from './chatCalls.mjs';
import { makeFolder, openChat } from './dataFolder.mjs';

const { HISTORY_FOLDER: keptFolder, MESSAGES = 10_000_000, MEMBERS = 10_000 } = process.env;

const sizes = {
  short: { messages: 100_000, members: 2000, behind: 10_000, returning: 200 },
  long: { messages: 1_000_000, members: 2000, behind: 100_000, returning: 2000 },
  scale: { messages: Number(MESSAGES), members: Number(MEMBERS), behind: 100_000, returning: 2000 },
};

let history;

export function historyFor({ long, scale, log }) {
  history ??= keptFolder ? kept(sizeOf({ long, scale }), log) : temporary(sizeOf({ long, scale }), log);
  return history;
}

const sizeOf = ({ long, scale }) => (scale ? sizes.scale : long ? sizes.long : sizes.short);

async function temporary(size, log) {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-history-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return make(directory, size, log);
}

/** The folder has its own size, whatever this run asks for. */
async function kept(size, log) {
  const facts = join(keptFolder, 'history.json');
  mkdirSync(keptFolder, { recursive: true });
  if (!existsSync(facts)) writeFileSync(facts, JSON.stringify(await make(keptFolder, size, log)));
  return JSON.parse(readFileSync(facts, 'utf8'));
}

async function make(directory, size, log) {
  log(`creating a history of ${size.messages.toLocaleString('en')} messages and ${size.members.toLocaleString('en')} members …`);
  return { directory, ...size, ...(await makeFolder({ directory, ...size })) };
}

/** Waits until the search index is complete. */
export async function withChat({ directory }, callback) {
  const chat = openChat(directory);
  const call = callsOf(chat);
  try {
    await untilIndexed(call);
    return await callback(call);
  } finally {
    await chat.close();
  }
}
