import { readFile } from 'node:fs/promises';
import { maxImportBytes } from '@engawa/protocol/administration';
import { Failure, reasonOf } from '../log/failure.ts';
import { runOperatorCommand } from './operatorClient.ts';
import { type Command, UsageError, textOption, wordAt } from './command.ts';
import { roleNames } from '../operator/commands.ts';

const anyTime = [
  '縁側が動いていれば、その縁側が行います。止まっていれば、このコマンドがデータを開きます。',
  'A running Engawa executes the command; otherwise the command opens the data itself.',
] as const;
const links = [
  'パスワードはコマンドでは渡しません。表示された 1 回限りのリンクを本人に渡してください。',
  'Passwords are never passed on the command line. Give the link, which works once, to the member.',
] as const;

export const userCreateCommand: Command = {
  name: 'user create',
  form: '--email ADDRESS --name NAME [--role ROLE] [--departments A,B]',
  summary: {
    ja: 'メンバーを作り、パスワードを決めるリンクを表示します。',
    en: 'Creates a member and shows a link for setting their password.',
  },
  options: {
    email: { type: 'string', ja: 'メールアドレス', en: 'email address' },
    name: { type: 'string', ja: '氏名', en: 'full name' },
    role: {
      type: 'string',
      ja: `権限（${roleNames.join(', ')}。指定しなければ member）`,
      en: `role: ${roleNames.join(', ')}; default: member`,
    },
    departments: {
      type: 'string',
      ja: '部署の名前、または「大阪支社/営業部」のような上からの名前（コンマ区切り、主な部署を先に）',
      en: 'departments by name, or by path as in Osaka/Sales; the main one first',
    },
  },
  words: { least: 0, most: 0 },
  notes: [...links, ...anyTime],
  async run(given, terminal) {
    const { role = 'member', departments = '' } = given.options;
    const known = roleNames.find((name) => name === role);
    if (!known) throw new UsageError(`--role に使える値: ${roleNames.join(', ')}`, `--role is one of ${roleNames.join(', ')}.`);
    const named = String(departments)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const [email, name] = [textOption(given, 'email'), textOption(given, 'name')];
    return runOperatorCommand({ command: 'user create', email, name, role: known, departments: named }, terminal);
  },
};

export const resetPasswordCommand: Command = {
  name: 'user reset-password',
  form: 'EMAIL',
  summary: {
    ja: 'メンバーがパスワードを決め直すリンクを表示します。',
    en: 'Shows a link for setting a new password of a member.',
  },
  options: {},
  words: { least: 1, most: 1 },
  notes: [...links, ...anyTime],
  run: (given, terminal) => runOperatorCommand({ command: 'user reset-password', email: wordAt(given, 0) }, terminal),
};

export const userListCommand: Command = {
  name: 'user list',
  form: '',
  summary: { ja: 'メンバーをタブ区切りで一覧します。', en: 'Lists the members, tab-separated.' },
  options: {},
  words: { least: 0, most: 0 },
  notes: [...anyTime],
  run: (_, terminal) => runOperatorCommand({ command: 'user list' }, terminal),
};

export const importCommand: Command = {
  name: 'import',
  form: 'FILE [--apply]',
  summary: {
    ja: 'CSV の人と部署を、確認してから取り込みます。',
    en: 'Imports people and departments from a CSV file, after a preview.',
  },
  options: {
    apply: { type: 'boolean', ja: '反映する（なければ確認だけ）', en: 'applies the import (otherwise it is only previewed)' },
  },
  words: { least: 1, most: 1 },
  notes: [
    'Shift_JIS と UTF-8 は自動で見分けます。誤りが 1 行でもあれば、何も変えません。同じファイルを繰り返しても重複しません。',
    'Shift_JIS and UTF-8 are detected. If a single row is wrong, nothing is changed. Importing a file again creates no duplicates.',
    ...anyTime,
  ],
  async run(given, terminal) {
    const path = wordAt(given, 0);
    const bytes = await readFile(path).catch((error: unknown) => {
      throw new Failure(`${path} を読めません。`, `${path} cannot be read (${reasonOf(error)}).`, { cause: error });
    });
    if (bytes.length > maxImportBytes)
      throw new Failure(`${path} が大きすぎます。`, `${path} is larger than ${maxImportBytes} bytes.`);
    return runOperatorCommand(
      { command: 'import', file: bytes.toString('base64'), apply: given.options['apply'] === true },
      terminal,
    );
  },
};
