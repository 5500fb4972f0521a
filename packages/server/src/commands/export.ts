import { resolve } from 'node:path';
import { configurationOf } from '../configuration.ts';
import { type ZulipArchive, writeZulipArchive } from '../export/zulipArchive.ts';
import { topFolder } from '../export/zulipEntries.ts';
import { type Command, textOption } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  form: '--zulip FILE',
  summary: {
    ja: '組織全体を、Zulip 8 の manage.py import が読める FILE（.tar.gz）に書き出します。',
    en: 'Writes the organisation to FILE (.tar.gz), which manage.py import of Zulip 8 reads.',
  },
  options: {
    zulip: { type: 'string', ja: '書き出すファイル。まだないもの', en: 'the file to write, which does not exist yet' },
  },
  words: { least: 0, most: 0 },
  notes: [
    '縁側が動いていても使えます。そのとき書き込まれたものまで入れるには、先に縁側を止めてください。何も変更しません。',
    'パスワードは移りません。取り込んだあと、Zulip でメンバー全員がパスワードを決め直します。',
    'メッセージとファイルがそのまま入るので、ファイルは安全な所に置いてください。',
    'It works while Engawa runs, with all data of one moment; stop Engawa first if nothing may be missing. It changes nothing.',
    'Passwords do not move: every member sets a new one in Zulip after the import.',
    'The file contains messages and files in clear text: keep it in a safe place.',
  ],
  async run(given, { environment, say }) {
    const target = resolve(textOption(given, 'zulip'));
    const archive = await untilInterrupted((signal) =>
      writeZulipArchive(configurationOf(environment).dataDirectory, target, signal),
    );
    const asOf = new Date(archive.asOf).toISOString();
    say(`書き出しました: ${target}（${asOf} 時点） / Written to ${target}, as of ${asOf}.`);
    say('移したもの / carried over');
    for (const row of carriedOver(archive)) say(row);
    say('移らないもの / left behind');
    for (const row of leftBehind(archive)) say(row);
    say(
      `次に Zulip のサーバーで / next, on the Zulip server: tar -xf FILE && ./manage.py import '' ./${topFolder}` +
        '（docs/operations.ja.md, docs/operations.en.md）',
    );
    return 0;
  },
};

/** An interrupted export leaves no files. */
async function untilInterrupted<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await run(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

const row = (ja: string, en: string, count?: number): string =>
  `  ${count === undefined ? '' : count.toLocaleString('en-US')}`.padEnd(14) + `${ja} / ${en}`;

function carriedOver({ chat, entries }: ZulipArchive): string[] {
  const rows = (table: string) => chat.rows.get(table) ?? 0;
  return [
    row(
      'メンバー（権限、停止中かどうか、設定）',
      'members with role, deactivated state and settings',
      rows('zerver_userprofile'),
    ),
    row('プロフィールの項目', 'profile texts', rows('zerver_customprofilefieldvalue')),
    row('写真', 'pictures', entries.pictures),
    row('ストリーム', 'streams', rows('zerver_stream')),
    row('3 人以上の会話', 'direct conversations of three or more', rows('zerver_huddle')),
    row(
      '参加（色、固定、ミュート、通知）',
      'subscriptions with colour, pin, mute and notifications',
      rows('zerver_subscription'),
    ),
    row('メッセージ', 'messages', chat.messages),
    row('メッセージごとの既読、スター、メンション', 'read state, stars and mentions per message and member', chat.userMessages),
    row('編集の履歴', 'edits', chat.edits),
    row('リアクション', 'reactions', rows('zerver_reaction')),
    row('ファイル', 'files', entries.uploads),
    row('通知する言葉', 'alert words', rows('zerver_alertword')),
    row('ステータス', 'statuses', rows('zerver_userstatus')),
    row('リンクにする書式', 'linkifiers', rows('zerver_realmfilter')),
    row('新しいメンバーが入るストリーム', 'default streams', rows('zerver_defaultstream')),
    row('コードを開くサイト', 'code playgrounds', rows('zerver_realmplayground')),
  ];
}

function leftBehind({ chat, entries, departments, streamPictures }: ZulipArchive): string[] {
  const { left } = chat;
  return [
    row('パスワード、API キー、招待のリンク', 'passwords, API keys and invitation links'),
    row('部署', 'departments', departments),
    row(
      '公開範囲（絞っていた写真とステータスは入れていません。Zulip ではゲストにも全員が見えます）',
      'privacy; restricted pictures and statuses stay behind, and in Zulip guests see everybody',
    ),
    row('既読の表示（Zulip は既読から作ります）', 'read receipts; Zulip derives its own from the read state'),
    row('しまった会話', 'archived conversations of members', left.putAway),
    row('下書き', 'drafts', left.drafts),
    row('削除したメッセージの跡', 'places of deleted messages', left.deletedMessages),
    row('ストリームの画像', 'pictures of streams', streamPictures),
    row('独自の絵文字', 'custom emoji', left.customEmoji),
    row('独自の絵文字のリアクション', 'reactions with custom emoji', left.customEmojiReactions),
    row('メンバーが作ったグループ', 'user groups that members made', left.userGroups),
    row('ミュートしたメンバー', 'muted users', left.mutedUsers),
    row('トピックごとのミュートとフォロー', 'topics that a member mutes or follows', left.topicChoices),
    row('送信を予約したメッセージ', 'scheduled messages', left.scheduledMessages),
    row('ボットが保存した文字列', 'texts that bots stored', left.botStorage),
    row('追加したプロフィールの項目とその値', 'custom profile fields and their values', left.profileFields),
    row(
      '終わりのある、公開範囲を絞った、または独自の絵文字のステータス',
      'statuses with an end, a restricted audience or a custom emoji',
      left.statuses,
    ),
    row('通話の記録（知らせのメッセージは入っています）', 'records of calls; their messages are carried over'),
    row('編集した人の名前（Zulip の画面に編集の履歴は出ません）', 'names of editors, so that Zulip’s own screens list no edits'),
    row('メッセージへのリンク', 'links to messages, which get new ids'),
    row('Zulip には大きすぎるファイル（2 GB 以上）', 'files that are too large for Zulip, from 2 GB', entries.largeUploads),
    row('送られていないファイル', 'files that were never sent', entries.unsentUploads),
    row('ディスクから失われていたファイル', 'files missing on the disk', entries.lostUploads),
  ];
}
