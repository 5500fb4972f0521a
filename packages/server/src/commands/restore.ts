import { resolve } from 'node:path';
import { restoreBackup } from '../backup/restore.ts';
import { configurationOf } from '../configuration.ts';
import { type Command, wordAt } from './command.ts';

export const restoreCommand: Command = {
  name: 'restore',
  form: 'DIR [--into DATA_DIR] [--end-sessions]',
  summary: {
    ja: 'バックアップ DIR を、空のデータディレクトリに復元します。',
    en: 'Restores the backup DIR into an empty data directory.',
  },
  options: {
    into: { type: 'string', ja: '復元先（指定しなければ DATA_DIR）', en: 'target directory (default: DATA_DIR)' },
    'end-sessions': {
      type: 'boolean',
      ja: 'すべてのセッション、API キー、招待とパスワードのリンクを終わらせ、全員にサインインし直してもらう',
      en: 'ends every session, API key, invitation and password link, so that everybody must sign in again',
    },
  },
  words: { least: 1, most: 1 },
  notes: [
    'はじめにバックアップ全体を検証し、壊れていれば何も書きません。検索の索引は起動後に作り直されます。',
    '開いたままの画面や API クライアントは、起動すると自動的につながり直します。',
    'バックアップより後に取り消したセッション、キー、リンクは、また使えるようになります。気になるときは --end-sessions を付けてください。',
    'The whole backup is verified first; nothing is written if it is damaged. The search index is rebuilt after the start.',
    'Open screens and API clients reconnect automatically after the start.',
    'Sessions, keys and links revoked after the backup become valid again; --end-sessions ends them all.',
  ],
  async run(given, { environment, say }) {
    const { into } = given.options;
    const target = typeof into === 'string' ? resolve(into) : configurationOf(environment).dataDirectory;
    const endSessions = given.options['end-sessions'] === true;
    const { asOf } = await restoreBackup(resolve(wordAt(given, 0)), target, { endSessions });
    say(
      `復元しました: ${target}（${asOf} 時点のデータ）。縁側を起動してください。` +
        ` / Restored into ${target}, as of ${asOf}. Start Engawa now.`,
    );
    return 0;
  },
};
