import { join } from 'node:path';

export const userName = 'engawa';
export const unitName = 'engawa.service';

/** Where an installation puts things. */
export interface Layout {
  readonly program: string;
  readonly releases: string;
  /** A link to the release that runs. */
  readonly current: string;
  readonly settingsFolder: string;
  readonly settings: string;
  readonly unit: string;
  readonly command: string;
  readonly data: string;
  readonly backups: string;
}

/** @param root is `/`, except in tests. */
export function layoutIn(root: string): Layout {
  const program = join(root, 'opt/engawa');
  const settingsFolder = join(root, 'etc/engawa');
  return {
    program,
    releases: join(program, 'releases'),
    current: join(program, 'current'),
    settingsFolder,
    settings: join(settingsFolder, 'engawa.env'),
    unit: join(root, 'etc/systemd/system', unitName),
    command: join(root, 'usr/local/bin/engawa'),
    data: join(root, 'var/lib/engawa'),
    backups: join(root, 'var/backups/engawa'),
  };
}
