/*
 * Measures a backup of the history while nobody writes, its restore, and the first start on the restored folder, which builds
 * the search index. The reference is a copy of the same bytes that is on the disk at its end.
 */
import { execFile } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../../scripts/fingerprint.mjs';
import { memoryOf } from '../load/processes.mjs';
import { all, credentialsOf } from './dataFolder.mjs';
import { startServer } from './serverProcess.mjs';
import { historyFor } from './sharedHistory.mjs';

const run = promisify(execFile);

export async function measure({ long, scale, log }) {
  const { directory, messages } = await historyFor({ long, scale, log });
  const [backup, restored, copied] = ['backup', 'restored', 'copied'].map((name) => `${directory}-${name}`);
  const of = messages.toLocaleString('en');
  try {
    // A start creates the product's own database, which a backup includes.
    await (await startServer(directory)).stop();
    log('backup …');
    const backupTime = await secondsOf(() => engawa(directory, 'backup', backup));
    const file = join(backup, 'chat', 'chat.db');
    const copyTime = await secondsOf(async () => {
      await run('cp', [file, copied]);
      await run('sync', [copied]);
    });
    log('restore …');
    const restoreTime = await secondsOf(() => engawa(directory, 'restore', backup, '--into', restored));
    log('search index …');
    const index = await indexing(restored);
    const copy = { name: 'cp and sync', value: copyTime, kind: 'floor' };
    const size = `${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`;
    return [
      { name: `backup of ${of} messages`, value: backupTime, unit: 's', reference: copy, detail: size },
      {
        name: 'restore of the backup',
        value: restoreTime,
        unit: 's',
        reference: copy,
        detail: `a start on it is ready after ${index.readyAfter.toFixed(0)} ms`,
      },
      {
        name: 'search complete after the restore and a start',
        value: index.seconds,
        unit: 's',
        reference: copy,
        detail: `most memory ${index.most.toFixed(0)} MB`,
      },
    ];
  } finally {
    for (const path of [backup, restored, copied]) rmSync(path, { recursive: true, force: true });
  }
}

async function secondsOf(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

const engawa = (directory, ...words) =>
  run(process.execPath, ['dist/engawa.mjs', ...words], { cwd: root, env: { ...process.env, DATA_DIR: directory } });

/** The server answers a search with 503 while its index is incomplete. */
async function indexing(directory) {
  const start = performance.now();
  const server = await startServer(directory);
  try {
    const narrow = encodeURIComponent(JSON.stringify([['search', '鬱蒼']]));
    const search = `${server.url}/api/v1/messages?anchor=newest&num_before=20&num_after=0&narrow=${narrow}`;
    for (;;) {
      const { status } = await fetch(search, { headers: { authorization: credentialsOf(all) } });
      if (status === 200) break;
      if (status !== 503) throw new Error(`the search answers ${status}`);
      await pause(200);
    }
    const seconds = (performance.now() - start) / 1000;
    return { seconds, readyAfter: server.readyAfter, most: memoryOf(server.pid).most / 2 ** 20 };
  } finally {
    await server.stop();
  }
}
