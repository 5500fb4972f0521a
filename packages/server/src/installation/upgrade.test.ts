import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Database, versionOfFile } from '@engawa/chat-server/database';
import type { FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../app.ts';
import { configurationOf } from '../configuration.ts';
import { migrations } from '../database/migrations.ts';
import { createProduct } from '../product.ts';
import { freePort } from '../testing/ports.ts';
import { switchTo } from './install.ts';
import { layoutIn } from './layout.ts';
import { type Machine, thisMachine } from './machine.ts';
import { upgrade } from './upgrade.ts';

/** How a release starts: it runs, ends at once, or ends after it has migrated the data. */
type Behaviour = 'runs' | 'ends' | 'migrates and ends';

const commitOf = (behaviour: Behaviour) => ({ runs: 'a', ends: 'b', 'migrates and ends': 'c' })[behaviour].repeat(40);

/** An installation with a running service; only systemctl is replaced. */
async function installation() {
  const root = mkdtempSync(join(tmpdir(), 'engawa-installation-'));
  const layout = layoutIn(root);
  const configuration = configurationOf({ AUTH_MODE: 'password', DATA_DIR: layout.data, PORT: String(await freePort()) });
  const database = join(layout.data, 'engawa.db');
  let app: FastifyInstance | undefined;
  let hasFailed = false;
  const systemctl: Readonly<Record<string, () => Promise<void>>> = {
    async start() {
      const behaviour = readFileSync(join(layout.current, 'behaviour'), 'utf8');
      hasFailed = behaviour !== 'runs';
      if (behaviour === 'runs') {
        app = await createProduct(configuration, { screens: root, log: () => undefined });
        await listen(app, configuration);
      }
      if (behaviour === 'migrates and ends') {
        new Database(database, { migrations: [...migrations, 'CREATE TABLE future (id INTEGER)'] }).close();
      }
    },
    async stop() {
      await app?.close();
      app = undefined;
    },
  };
  const machine: Machine = {
    async run(program, ...words) {
      if (program === 'systemctl') await systemctl[words[0] ?? '']?.();
      // Only root may give files away.
      else if (program !== 'chown') await thisMachine.run(program, ...words);
    },
    async succeeds(program, ...words) {
      if (words[0] === 'is-failed') return hasFailed;
      await machine.run(program, ...words);
      return true;
    },
  };
  onTestFinished(async () => {
    await systemctl['stop']?.();
    rmSync(root, { recursive: true, force: true });
  });
  const former = join(layout.releases, '0.9.0-111111111111');
  writeRelease(former, { version: '0.9.0', commit: '1'.repeat(40), behaviour: 'runs' });
  mkdirSync(layout.data, { recursive: true });
  switchTo(former, layout);
  await systemctl['start']?.();
  const said: string[] = [];
  return {
    layout,
    database,
    said,
    answers: async () => (await app?.inject('/healthz'))?.statusCode === 200,
    running: () => basename(realpathSync(layout.current)),
    upgradeTo(behaviour: Behaviour, platform = 'linux-x64') {
      const folder = join(root, 'engawa-1.0.0');
      writeRelease(folder, { version: '1.0.0', commit: commitOf(behaviour), behaviour, platform });
      execFileSync('tar', ['czf', `${folder}.tar.gz`, '-C', root, basename(folder)]);
      return upgrade(`${folder}.tar.gz`, { layout, machine, say: (line) => void said.push(line), configuration, seconds: 30 });
    },
  };
}

function writeRelease(
  folder: string,
  { behaviour, platform = 'linux-x64', ...release }: { version: string; commit: string; behaviour: Behaviour; platform?: string },
) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ ...release, platform }));
  writeFileSync(join(folder, 'behaviour'), behaviour);
}

it('An upgrade makes a backup, and the new release runs on the same data', async () => {
  const { upgradeTo, running, answers, layout } = await installation();
  await upgradeTo('runs');
  expect(running()).toBe('1.0.0-aaaaaaaaaaaa');
  expect(await answers()).toBe(true);
  expect(readdirSync(join(layout.data, 'backups'))).toEqual([expect.stringMatching(/^before-upgrade-/)]);
  expect(readdirSync(layout.releases).toSorted()).toEqual(['0.9.0-111111111111', '1.0.0-aaaaaaaaaaaa']);
});

it('If the new release ends at once, the former one runs again and the failed one is removed', async () => {
  const { upgradeTo, running, answers, layout } = await installation();
  await expect(upgradeTo('ends')).rejects.toThrow('so the former one, 0.9.0-111111111111, runs again');
  expect(running()).toBe('0.9.0-111111111111');
  expect(await answers()).toBe(true);
  expect(readdirSync(layout.releases)).toEqual(['0.9.0-111111111111']);
});

it('If the new release fails after it has migrated the data, the former one runs on the data of the backup', async () => {
  const { upgradeTo, answers, database, layout } = await installation();
  await expect(upgradeTo('migrates and ends')).rejects.toThrow('runs again');
  expect(versionOfFile(database)).toBe(migrations.length);
  expect(await answers()).toBe(true);
  const [failed = ''] = readdirSync(join(layout.data, 'backups')).filter((name) => name.startsWith('failed-upgrade-'));
  expect(versionOfFile(join(layout.data, 'backups', failed, 'engawa.db'))).toBe(migrations.length + 1);
});

it('An archive for another processor is refused while the former release keeps running', async () => {
  const { upgradeTo, running, answers, layout } = await installation();
  await expect(upgradeTo('runs', 'linux-arm64')).rejects.toThrow(
    'This archive is for linux-arm64; this machine needs linux-x64.',
  );
  expect(running()).toBe('0.9.0-111111111111');
  expect(await answers()).toBe(true);
  expect(readdirSync(layout.releases)).toEqual(['0.9.0-111111111111']);
});
