import { resolve } from 'node:path';
import { isWithin, makeBackup } from '../backup/backup.ts';
import { noteBackup } from '../backup/lastBackup.ts';
import { configurationOf } from '../configuration.ts';
import { Failure } from '../log/failure.ts';
import { type Command, UsageError, wordAt } from './command.ts';
import { sizeText } from '../log/format.ts';

export const backupCommand: Command = {
  name: 'backup',
  form: 'DIR',
  summary: {
    ja: 'DATA_DIR のバックアップを、新しいディレクトリ DIR に作ります。',
    en: 'Backs up DATA_DIR to a new directory DIR.',
  },
  options: {},
  words: { least: 1, most: 1 },
  notes: [
    '縁側が動いていても使えます。メンバーは書き続けられ、ある一時点のデータが完全に入ります。',
    'パスワードとメンバーのキーはハッシュだけですが、ボットのキー、外部への送信の鍵、メッセージ、ファイルはそのまま入ります。暗号化して、別の機械の安全な所に置いてください。',
    'It works while Engawa runs. Members can keep writing; the backup is complete as of one moment.',
    "It has only hashes of passwords and of members' keys, but the keys of bots, the secrets of outgoing hooks, messages and files in plain form. Store it encrypted on another machine.",
  ],
  async run(given, { environment, say, warn }) {
    const { dataDirectory } = configurationOf(environment);
    const target = resolve(wordAt(given, 0));
    if (isWithin(target, dataDirectory)) {
      throw new UsageError(
        'バックアップ先は DATA_DIR の外にしてください。',
        'A backup inside DATA_DIR would be lost with it. Name a directory elsewhere.',
      );
    }
    const { asOf, databases, parts, lost } = await makeBackup(dataDirectory, target, 'copy');
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    const rows = Object.assign({}, ...databases.map((database) => database.rows));
    const messages = Number(rows['message'] ?? 0);
    const files = parts.length - databases.length;
    say(
      `バックアップを作りました: ${target}（${asOf} 時点、メッセージ ${messages} 件、ファイル ${files} 個、${sizeText(bytes)}）` +
        ` / The backup was created in ${target} (as of ${asOf}, ${messages} messages, ${files} files, ${sizeText(bytes)}).`,
    );
    if (lost.length > 0) warn(lostFiles(lost).message);
    try {
      await noteBackup(dataDirectory);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      warn(error.message);
    }
    return 0;
  },
};

function lostFiles(lost: readonly string[]): Failure {
  return new Failure(
    `DATA_DIR から失われていたファイル ${lost.length} 個は入っていません。engawa doctor で調べてください。`,
    `${lost.length} files that were missing in DATA_DIR are not in the backup: see engawa doctor.`,
  );
}
