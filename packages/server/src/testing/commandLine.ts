import { join } from 'node:path';
import { makeBackup } from '../backup/backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { runCommand } from '../commands/run.ts';
import { emptyDirectory } from './organisation.ts';

interface Finished {
  /** Of the exit. */
  readonly code: number;
  /** The lines on the standard output, and those on the standard error. */
  readonly said: string;
  readonly warned: string;
}

/** Runs `engawa` as on the command line. */
export async function engawaIn(
  dataDirectory: string,
  typed: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const [said, warned]: [string[], string[]] = [[], []];
  const code = await runCommand(typed, {
    environment: { DATA_DIR: dataDirectory, ...environment },
    say: (line) => void said.push(line),
    warn: (line) => void warned.push(line),
  });
  return { code, said: said.join('\n'), warned: warned.join('\n') };
}

/** @returns a copy of the data of a running product, which no product uses. */
export async function stillDataOf(dataDirectory: string): Promise<string> {
  const [backup, data] = [join(emptyDirectory(), 'backup'), join(emptyDirectory(), 'data')];
  await makeBackup(dataDirectory, backup, 'copy');
  await restoreBackup(backup, data, { endSessions: false });
  return data;
}
