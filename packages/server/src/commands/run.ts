import { parseArgs } from 'node:util';
import { NewerDatabaseError } from '@engawa/chat-server/database';
import { ConfigurationError } from '../configuration.ts';
import { Failure, reasonOf } from '../log/failure.ts';
import { backupCommand } from './backup.ts';
import { type Command, type ExitCode, type CommandArguments, type Terminal, UsageError, parseOptionsOf } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { healthCommand } from './health.ts';
import { helpOf, helpOfAll } from './help.ts';
import { importCommand, resetPasswordCommand, userCreateCommand, userListCommand } from './people.ts';
import { installCommand, setupCodeCommand, uninstallCommand, upgradeCommand } from './installation.ts';
import { restoreCommand } from './restore.ts';
import { supportBundleCommand } from './supportBundle.ts';
import { verifyCommand } from './verify.ts';

const startCommand: Command = {
  name: 'start',
  form: '',
  summary: { ja: '縁側を起動します。', en: 'Starts Engawa.' },
  options: {},
  words: { least: 0, most: 0 },
  notes: [],
  async run() {
    // The import starts the server, which runs until a signal ends the process.
    await import('../main.ts');
    return 0;
  },
};

export const commands: readonly Command[] = [
  startCommand,
  userCreateCommand,
  resetPasswordCommand,
  userListCommand,
  importCommand,
  backupCommand,
  restoreCommand,
  exportCommand,
  doctorCommand,
  verifyCommand,
  healthCommand,
  setupCodeCommand,
  installCommand,
  upgradeCommand,
  uninstallCommand,
  supportBundleCommand,
];

export async function runCommand(typed: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const command = commandIn(typed);
    if (!command) return overview(typed, terminal);
    const given = givenTo(command, typed.slice(command.name.split(' ').length));
    if (given.options['help'] === true) {
      terminal.say(helpOf(command));
      return 0;
    }
    requireWords(command, given);
    return await command.run(given, terminal);
  } catch (error) {
    terminal.warn(lineOf(error));
    return error instanceof UsageError || error instanceof ConfigurationError ? 2 : 1;
  }
}

function commandIn(typed: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => word === typed[index]));
}

function overview(typed: readonly string[], { say }: Terminal): ExitCode {
  const [first] = typed;
  if (typed.includes('--help') || typed.includes('-h') || first === 'help') {
    say(helpOfAll(commands));
    return 0;
  }
  if (first === undefined) {
    throw new UsageError(
      'コマンドを指定してください。engawa --help で一覧を見られます。',
      'Specify a command: see engawa --help.',
    );
  }
  throw new UsageError(
    `${typed.join(' ')} というコマンドはありません。engawa --help で一覧を見られます。`,
    'There is no such command: see engawa --help.',
  );
}

function givenTo(command: Command, args: readonly string[]): CommandArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: parseOptionsOf(command),
      allowPositionals: true,
      strict: true,
    });
    const options = Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? undefined : value] as const);
    return { options: Object.fromEntries(options), words: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw seeHelp(command, reasonOf(error));
  }
}

function requireWords(command: Command, { words }: CommandArguments): void {
  const { least, most } = command.words;
  if (words.length < least) throw seeHelp(command, `expected: ${command.form}`);
  if (words.length > most) throw seeHelp(command, `unexpected: ${words[most]}`);
}

function seeHelp({ name }: Command, reason: string): UsageError {
  return new UsageError(
    `使い方が違います。engawa ${name} --help を見てください。`,
    `Wrong usage (${reason.split('. ', 1).join('')}): see engawa ${name} --help.`,
  );
}

function lineOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  if (error instanceof NewerDatabaseError) {
    return `データが新しい版のものです。新しい版の縁側を使ってください。 / The data was written by a newer version (${error.message}).`;
  }
  return `失敗しました。 / Failed: ${reasonOf(error)}`;
}
