/** The words of the first screen. The Japanese dictionaries are the types of the English ones, so a missing word is a compile error. */
import { ja as chat } from './chat.ja.ts';
import { japaneseNumber as number } from './numbers.ts';
import { ja as streams } from './streams.ja.ts';

export const ja = {
  tag: 'ja-JP',
  productLatin: 'Engawa',
  noRooms: 'ストリームがありません',
  newMessages: '新着メッセージ',
  messageDeleted: '削除した',
  noMessages: 'メッセージがありません',
  conversationStartedOn: (day: string) => `${day}${/\d/.test(day) ? 'に' : ''}はじまりました`,
  search: '検索',
  isOnline: 'オンライン',
  lastSeen: (time: string) => `最終 ${time}`,
  isWriting: (name: string) => `${name}さんが入力中…`,
  areWriting: (one: string, other: string) => `${one}さんと${other}さんが入力中…`,
  manyAreWriting: (count: number) => `${number.format(count)} 人が入力中…`,
  inBrackets: (count: number) => `[${number.format(count)}]`,
  inParentheses: (count: number) => `(${number.format(count)})`,
  unread: (count: number) => `未読 ${number.format(count)} 件`,
  mentions: (count: number) => `メンション ${number.format(count)} 件`,
  directs: (count: number) => `うちダイレクト ${number.format(count)} 件`,
  withAt: (count: number) => `@${number.format(count)}`,
  atMost: (count: number, most: number) => (count > most ? `${number.format(most)}+` : number.format(count)),
  members: (count: number) => `メンバー ${number.format(count)} 人`,
  today: '今日',
  yesterday: '昨日',
  /** Reads the UTC fields of `date`. */
  date: (date: Date, withWeekday: boolean, withYear: boolean) =>
    `${withYear ? `${date.getUTCFullYear()}年` : ''}${date.getUTCMonth() + 1}月${date.getUTCDate()}日${withWeekday ? `(${'日月火水木金土'[date.getUTCDay()]})` : ''}`,
  dayAndTime: (day: string, time: string) => `${day} ${time}`,
  close: '閉じる',
  again: 'もう一度試す',
  loading: '読み込んでいます…',
  notLoaded: '表示に必要なものを読み込めませんでした。ネットワークを確かめて、もう一度試してください。',
  noneFound: '見つかりませんでした',
  tabs: {
    label: '画面の切り替え',
    toComposer: '入力欄へ移動',
    organisation: '組織',
    streams: 'ストリーム',
    settings: '設定',
    theme: 'テーマ',
    toDark: '暗いテーマにする',
    toLight: '明るいテーマにする',
    me: (name: string) => `${name}（設定を開く）`,
    switchFrom: (name: string) => `${name}（メンバーを切り替える）`,
  },

  start: {
    opening: '縁側をひらいています…',
    failed: '縁側をひらけませんでした',
    goesOn: 'つながりしだい、自動でひらきます。',
    broken: '画面を表示できませんでした',
    brokenAdvice: '書きかけの文章は残っています。読み込み直してください。くり返すときは管理者に知らせてください。',
    reload: '読み込み直す',
    exposed:
      'デモ用のサインインがこのコンピューターの外にも公開されています。だれでもパスワードなしで入れるため、実際のやりとりには使わないでください。',
  },

  connection: {
    offline: 'オフラインです。書いた文章は残り、つながると送れます。',
    reconnecting: '接続が切れました。つなぎ直しています…',
    chatServerAway: 'チャットサーバーが応答しません。書いた文章は残り、つながると送れます。',
    signedOut: 'サインアウトされました。',
    signInAgain: 'もう一度サインインする',
    reload: '読み込み直す',
    broken: '問題が起きて、新しいメッセージを受け取れなくなりました。書きかけの文章は残ります。',
  },

  failures: {
    network: 'サーバーにつながりませんでした。ネットワークを確かめて、もう一度試してください。',
    signedOut: 'サインアウトされました。もう一度サインインしてください。',
    refused: (message: string) => `サーバーが受け付けませんでした（${message}）。内容を確かめて、もう一度試してください。`,
    noAccess: 'このストリームに参加していないか、なくなっています。管理者に確かめてください。',
    groupNotWanted:
      'グループでのダイレクトメッセージを受け取らない人がいるため、送信できませんでした。ひとりずつ送ってください。',
    changedElsewhere: 'ほかの端末で編集されたため、保存しませんでした。今の内容を確かめて、もう一度試してください。',
    busy: (seconds: number) => `混み合っています。${number.format(seconds)} 秒ほど待って、もう一度試してください。`,
    server: 'サーバーで問題が起きました。少し待って、もう一度試してください。くり返すときは管理者に知らせてください。',
    chatServerAway:
      'チャットサーバーが応答しません。書きかけの文章は残っています。少し待って、もう一度試してください。くり返すときは管理者に知らせてください。',
    storage: 'サーバーに保存できないため、受け付けられませんでした。管理者に、サーバーのディスクを確かめるよう伝えてください。',
    locked: 'サーバーのデータが別のプログラムに使われていて、保存できませんでした。少し待って、もう一度試してください。',
    toBeCompleted: '変更を受け付けました。サーバーに保存でき次第、反映されます。操作をくり返す必要はありません。',
    notReady: '検索の準備をしています。終わりしだい、もう一度探します。',
    malformed: 'サーバーの返事を読めませんでした。少し待って、もう一度試してください。くり返すときは管理者に知らせてください。',
    fileGone: 'ファイルを読めません。上書き・移動・削除されたか、保存先につながりません。選び直してください。',
    fileTooLarge: (most: string) => `ファイルが大きすぎます。${most} までのファイルを選んでください。`,
    tooFar: (most: number) =>
      `さかのぼりすぎるため、何も変えていません。新しいほうから ${number.format(most)} 件までのメッセージを選んでください。`,
    halfDone: (why: string) => `途中までしかできませんでした。${why}`,
    notInStreams: (streams: string) =>
      `部署の非公開ストリームに、あなたが参加していません（${streams}）。参加している人に追加してもらってから、もう一度試してください。`,
    notWanted: (count: number) =>
      `${number.format(count)} 人は、あなたからの追加を受け付けていません。外して、もう一度試してください。`,
    nameTaken: 'この名前はすでに使われています。別の名前にしてください。',
    nameIsMine: 'この名前のストリームにはすでに参加しています。別の名前にするか、そちらを開いてください。',
  },

  memberCard: {
    open: (name: string) => `${name}のプロフィールを表示`,
    failed: 'プロフィールを開けませんでした。ネットワークを確かめて、もう一度押してください。',
    idle: '離席中',
    busy: '取り込み中',
  },

  searchFailed: '検索を読み込めませんでした。ネットワークを確かめて、もう一度開いてください。',
  helpFailed: 'ヘルプを開けませんでした。ネットワークを確かめて、もう一度試してください。',
  mention: {
    heading: 'メンションとスター',
    failed: 'メンションの候補を読み込めませんでした。もう一度 @ を入れてください。',
    all: '全員',
  },

  emoji: {
    failed: '絵文字を読み込めませんでした。',
  },

  ...chat,
  ...streams,
};

export type Dictionary = typeof ja;
