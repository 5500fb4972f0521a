/*
 * Measures the export of a million messages to Zulip's format: `npm run bench:export`; fewer with MESSAGES=100000. The
 * organisation is written directly into the databases. The command runs in another process, whose memory is read meanwhile.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { Database } from '../packages/chat-server/src/database/index.ts';
import { migrations } from '../packages/server/src/database/migrations.ts';
import { makeFolder } from './history/dataFolder.mjs';

const count = Number(process.env.MESSAGES ?? 1_000_000);
const members = 300;
const root = join(import.meta.dirname, '..');
const memoryInterval = 50;

const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`;

const directory = mkdtempSync(join(tmpdir(), 'engawa-export-'));
try {
  await makeFolder({ directory, messages: count, members });
  new Database(join(directory, 'engawa.db'), { migrations }).close();
  addReactionsAndEdits();
  const target = join(directory, 'zulip.tar.gz');
  const begun = performance.now();
  const memory = await runExport(target);
  const seconds = (performance.now() - begun) / 1000;
  console.log(`${count} messages, ${members} members: ${seconds.toFixed(1)} s, at most ${mebibytes(memory)} of memory`);
  console.log(
    `databases ${mebibytes(statSync(join(directory, 'chat', 'chat.db')).size)}, archive ${mebibytes(statSync(target).size)}`,
  );
} finally {
  rmSync(directory, { recursive: true });
}

/** A reaction on every third message, and an edit of every twentieth. */
function addReactionsAndEdits() {
  const database = new DatabaseSync(join(directory, 'chat', 'chat.db'));
  database.exec(`
    PRAGMA synchronous = OFF;
    INSERT INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type)
      SELECT id, 1 + id % ${members}, 'tada', '1f389', 'unicode_emoji' FROM message WHERE id % 3 = 0;
    INSERT INTO message_edit (message_id, user_id, timestamp, prev_content, prev_topic, topic)
      SELECT id, sender_id, timestamp + 60, content || '。', NULL, NULL FROM message WHERE id % 20 = 0;
    UPDATE message SET last_edit_timestamp = timestamp + 60 WHERE id % 20 = 0;
    PRAGMA wal_checkpoint(TRUNCATE);
  `);
  database.close();
}

/** @returns the most resident memory, in bytes. */
async function runExport(target) {
  const main = join(root, 'packages/server/src/commands/main.ts');
  const options = { env: { ...process.env, DATA_DIR: directory }, stdio: 'inherit' };
  const child = spawn(process.execPath, [main, 'export', '--zulip', target], options);
  let most = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    most = Math.max(most, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024);
  }, memoryInterval);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`the export ended with ${code}`);
  return most;
}
