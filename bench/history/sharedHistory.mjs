// One history for all measurements of a run. It is created for the first one and deleted when the run ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer } from '../../scripts/build.mjs';
import { callsOf, untilIndexed } from './chatCalls.mjs';
import { makeFolder, openChat } from './dataFolder.mjs';

const sizes = {
  short: { messages: 100_000, members: 2000, behind: 10_000, returning: 200 },
  long: { messages: 1_000_000, members: 2000, behind: 100_000, returning: 2000 },
};

let history;

export function historyFor({ long, log }) {
  history ??= make(long ? sizes.long : sizes.short, log);
  return history;
}

async function make(size, log) {
  buildServer();
  const directory = mkdtempSync(join(tmpdir(), 'engawa-history-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  log(`creating a history of ${size.messages.toLocaleString('en')} messages and ${size.members} members …`);
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
