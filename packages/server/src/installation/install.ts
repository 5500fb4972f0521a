import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Failure, hasCode } from '../log/failure.ts';
import { commandText, settingsText, unitText } from './files.ts';
import { type Layout, unitName, userName } from './layout.ts';
import type { Machine } from './machine.ts';
import { folderNameOf, releaseIn } from './release.ts';

export interface Installation {
  readonly layout: Layout;
  readonly machine: Machine;
  readonly say: (line: string) => void;
}

const firstPort = 8080;

/** Installs the release in `folder` as a service and starts it. `engawa uninstall` undoes it. @throws Failure */
export async function install(
  folder: string,
  publicUrl: string | undefined,
  { layout, machine, say }: Installation,
): Promise<void> {
  // The commands' umask would hide the program and parent directories from the service's user.
  process.umask(0o022);
  const release = releaseIn(folder);
  await refuseWithoutSystemd(machine);
  if (existsSync(layout.current)) {
    throw new Failure(
      '縁側はすでに入っています。新しい版には engawa upgrade を使ってください。',
      'Engawa is already installed. Use engawa upgrade for a new version.',
    );
  }
  if (!(await machine.succeeds('id', userName))) {
    await machine.run('useradd', '--system', '--home-dir', layout.data, '--shell', '/usr/sbin/nologin', userName);
    say(`システムユーザー / system user: ${userName}`);
  }
  const installed = join(layout.releases, folderNameOf(release));
  mkdirSync(layout.releases, { recursive: true });
  cpSync(folder, installed, { recursive: true, filter: (path) => path !== join(folder, 'data') });
  await machine.run('chown', '-R', 'root:root', layout.program);
  await machine.run('chmod', '-R', 'u=rwX,go=rX', layout.program);
  switchTo(installed, layout);
  say(`プログラム / program: ${installed}`);
  for (const directory of [layout.data, layout.backups]) {
    mkdirSync(dirname(directory), { recursive: true });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await machine.run('chown', `${userName}:${userName}`, directory);
  }
  say(`データ / data: ${layout.data}   バックアップ / backups: ${layout.backups}`);
  if (!existsSync(layout.settings)) {
    mkdirSync(layout.settingsFolder, { recursive: true });
    writeFileSync(layout.settings, settingsText(layout, { port: await freePort(), publicUrl }), { mode: 0o640 });
    await machine.run('chown', `root:${userName}`, layout.settings);
  }
  say(`設定 / settings: ${layout.settings}`);
  write(layout.command, commandText(layout), 0o755);
  say(`コマンド / command: ${layout.command}`);
  write(layout.unit, unitText(layout), 0o644);
  await machine.run('systemctl', 'daemon-reload');
  await machine.run('systemctl', 'enable', '--now', unitName);
  say(`サービス / service: ${unitName} (${layout.unit})`);
}

/** Keeps the data, the settings, and the user to whom the data belongs, unless `data` is set. */
export async function uninstall({ data }: { readonly data: boolean }, { layout, machine, say }: Installation): Promise<void> {
  await refuseWithoutSystemd(machine);
  if (existsSync(layout.unit)) await machine.run('systemctl', 'disable', '--now', unitName);
  const removed = [
    layout.unit,
    layout.command,
    layout.program,
    ...(data ? [layout.data, layout.backups, layout.settingsFolder] : []),
  ];
  for (const path of removed) {
    if (!existsSync(path)) continue;
    rmSync(path, { recursive: true });
    say(`削除しました / removed: ${path}`);
  }
  await machine.run('systemctl', 'daemon-reload');
  if (!data) {
    say(`残しました / kept: ${layout.data}, ${layout.backups}, ${layout.settingsFolder}, ${userName}`);
  } else if (await machine.succeeds('id', userName)) {
    await machine.run('userdel', userName);
    say(`削除しました / removed: ${userName}`);
  }
}

/** Atomic: at any moment the link leads to a whole release. */
export function switchTo(folder: string, { current }: Layout): void {
  rmSync(`${current}.new`, { force: true });
  symlinkSync(folder, `${current}.new`);
  renameSync(`${current}.new`, current);
}

export async function refuseWithoutSystemd(machine: Machine): Promise<void> {
  if (await machine.succeeds('systemctl', '--version')) return;
  throw new Failure(
    'systemd がありません。engawa start で動かすか、コンテナーを使ってください。',
    'There is no systemd here. Run engawa start, or use a container.',
  );
}

function write(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

async function freePort(): Promise<number> {
  for (let port = firstPort; ; port += 1) {
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return port;
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE')) throw error;
    } finally {
      server.close();
    }
  }
}
