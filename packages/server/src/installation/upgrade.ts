import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { versionOfFile } from '@engawa/chat-server/database';
import { makeUpgradeBackup } from '../backup/upgrade.ts';
import { readManifest } from '../backup/manifest.ts';
import { restoreBackup } from '../backup/restore.ts';
import type { Configuration } from '../configuration.ts';
import { Failure } from '../log/failure.ts';
import { becomesHealthy } from './health.ts';
import { type Installation, switchTo } from './install.ts';
import { type Layout, unitName } from './layout.ts';
import type { Machine } from './machine.ts';
import { folderNameOf, releaseIn } from './release.ts';

interface Upgrade extends Installation {
  readonly configuration: Configuration;
  /** How long the new version may take until it is healthy, including the migration. */
  readonly seconds: number;
}

/**
 * Replaces the running release by a verified archive. If the new one does not become healthy, the former one runs again with the
 * data of the backup.
 * @throws Failure, also after the former release runs again
 */
export async function upgrade(archive: string, options: Upgrade): Promise<void> {
  const { layout, machine, say, configuration } = options;
  const former = realpathSync(layout.current);
  const next = await unpack(archive, former, options);
  await machine.run('systemctl', 'stop', unitName);
  const backup = await ownedBackup(configuration, machine).catch(async (error: unknown) => {
    await machine.run('systemctl', 'start', unitName);
    throw error;
  });
  say(`バックアップ / backup: ${backup}`);
  switchTo(next, layout);
  if (await starts(options)) {
    forgetOthers(layout, [basename(former), basename(next)]);
    say(`新しい版が動いています / the new version runs: ${basename(next)}`);
    return;
  }
  await goBack(former, next, backup, options);
}

async function ownedBackup({ dataDirectory }: Configuration, machine: Machine): Promise<string> {
  const backup = await makeUpgradeBackup(dataDirectory, Date.now());
  await giveToOwner(dataDirectory, machine);
  return backup;
}

async function unpack(archive: string, former: string, { layout, machine, say }: Upgrade): Promise<string> {
  const unpacked = mkdtempSync(join(layout.releases, '.unpacked-'));
  try {
    await machine.run('tar', '-xzf', resolve(archive), '-C', unpacked, '--strip-components=1');
    await machine.run('chown', '-R', 'root:root', unpacked);
    await machine.run('chmod', '-R', 'u=rwX,go=rX', unpacked);
    const [release, own] = [releaseIn(unpacked), releaseIn(former)];
    if (release.platform !== own.platform) {
      throw new Failure(
        `このアーカイブは ${release.platform} 用です。ここでは ${own.platform} が要ります。`,
        `This archive is for ${release.platform}; this machine needs ${own.platform}.`,
      );
    }
    const target = join(layout.releases, folderNameOf(release));
    if (target === former) throw new Failure('この版はすでに動いています。', 'This version is already running.');
    rmSync(target, { recursive: true, force: true });
    renameSync(unpacked, target);
    say(`プログラム / program: ${target}`);
    return target;
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true });
    throw error;
  }
}

/** @returns whether the service became healthy. */
async function starts({ machine, configuration, seconds }: Upgrade): Promise<boolean> {
  // A start that fails at once is found by the health check.
  await machine.succeeds('systemctl', 'start', unitName);
  return becomesHealthy(configuration, seconds, () => machine.succeeds('systemctl', 'is-failed', '--quiet', unitName));
}

async function goBack(former: string, next: string, backup: string, options: Upgrade): Promise<never> {
  const { layout, machine, configuration, say } = options;
  const { dataDirectory } = configuration;
  await machine.run('systemctl', 'stop', unitName);
  await machine.succeeds('systemctl', 'reset-failed', unitName);
  // Without a migration the former release can read the data, which has the messages that members sent meanwhile.
  const failed = (await isMigrated(dataDirectory, backup)) ? await replaceData(dataDirectory, backup) : undefined;
  await giveToOwner(dataDirectory, machine);
  switchTo(former, layout);
  rmSync(next, { recursive: true });
  const runs = await starts(options);
  if (failed !== undefined) say(`更新に失敗したデータ / data of the failed upgrade: ${failed}`);
  if (!runs) {
    throw new Failure(
      `新しい版が正常に動かず、前の版 ${basename(former)} に戻しましたが、これも正常に動きません。journalctl -u engawa を見てください。`,
      `The new version did not become healthy. The former one, ${basename(former)}, is back but is not healthy either: see journalctl -u engawa.`,
    );
  }
  throw new Failure(
    `新しい版が正常に動かなかったため、前の版 ${basename(former)} に戻しました。journalctl -u engawa を見てください。`,
    `The new version did not become healthy, so the former one, ${basename(former)}, runs again: see journalctl -u engawa.`,
  );
}

async function isMigrated(dataDirectory: string, backup: string): Promise<boolean> {
  const { databases } = await readManifest(backup);
  return databases.some(({ path, version }) => versionOfFile(join(dataDirectory, path)) !== version);
}

/** Renames inside the directory only, because it may be a mount point. @returns the folder with the replaced data. */
async function replaceData(dataDirectory: string, backup: string): Promise<string> {
  const backups = join(dataDirectory, 'backups');
  const restored = mkdtempSync(join(backups, '.restored-'));
  await restoreBackup(backup, restored, { endSessions: false });
  const failed = join(backups, `failed-upgrade-${basename(backup).replace(/^.*-/, '')}`);
  mkdirSync(failed, { mode: 0o700 });
  for (const name of readdirSync(dataDirectory)) {
    if (name !== 'backups' && name !== 'lost+found') renameSync(join(dataDirectory, name), join(failed, name));
  }
  for (const name of readdirSync(restored)) renameSync(join(restored, name), join(dataDirectory, name));
  rmSync(restored, { recursive: true });
  return failed;
}

/** This process is root; the service is not. */
async function giveToOwner(dataDirectory: string, machine: Machine): Promise<void> {
  const { uid, gid } = statSync(dataDirectory);
  await machine.run('chown', '-R', `${uid}:${gid}`, dataDirectory);
}

function forgetOthers({ releases }: Layout, kept: readonly string[]): void {
  for (const name of readdirSync(releases)) {
    if (!kept.includes(name)) rmSync(join(releases, name), { recursive: true });
  }
}
