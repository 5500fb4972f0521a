/** The source of all words. `Dictionary` is derived from it, so a word that `en.ts` lacks fails the type check. */
const number = new Intl.NumberFormat('ja-JP');

export const ja = {
  /** For Intl. */
  tag: 'ja-JP',
  product: '縁側',
  productLatin: 'Engawa',

  /** R2.19 */
  noRooms: 'ストリームがありません',
  newMessages: '新着メッセージ',
  messageDeleted: '削除した',
  noMessages: 'メッセージがありません',
  conversationStartedOn: (day: string) => `${day}にはじまりました`,
  search: '検索',
  isOnline: 'オンライン',
  lastSeen: (time: string) => `最終ログイン ${time}`,
  isWriting: (name: string) => `${name}さんが入力中…`,

  /** R2.6, R2.8 */
  inBrackets: (count: number) => `[${number.format(count)}]`,
  inParentheses: (count: number) => `(${number.format(count)})`,
  unread: (count: number) => `未読 ${number.format(count)} 件`,
  members: (count: number) => `メンバー ${number.format(count)} 人`,

  today: '今日',
  yesterday: '昨日',
  dayAndTime: (day: string, time: string) => `${day} ${time}`,
  close: '閉じる',
  again: 'もう一度試す',
  loading: '読み込んでいます…',

  tabs: {
    label: '画面の切り替え',
    organisation: '組織',
    streams: 'ストリーム',
    settings: '設定',
    theme: 'テーマ',
    toDark: '暗いテーマにする',
    toLight: '明るいテーマにする',
    me: (name: string) => `${name}（設定を開く）`,
  },

  start: {
    opening: '縁側をひらいています…',
    failed: '縁側をひらけませんでした',
    broken: '画面を表示できませんでした',
    brokenAdvice: '書きかけの文章は残っています。読み込み直してください。くり返すときは管理者に知らせてください。',
    reload: '読み込み直す',
    exposed:
      'デモ用のサインインがこのコンピューターの外にも公開されています。だれでもパスワードなしで入れるため、実際のやりとりには使わないでください。',
  },

  connection: {
    offline: 'オフラインです。書いた文章は残り、つながると送れます。',
    reconnecting: '接続が切れました。つなぎ直しています…',
    signedOut: 'サインインの期限が切れました。',
    signInAgain: 'もう一度サインインする',
    broken: '問題が起きて、新しいメッセージを受け取れなくなりました。書きかけの文章は残ります。',
    reload: '読み込み直す',
  },

  /** What happened, and what to do. */
  failures: {
    network: 'サーバーにつながりませんでした。ネットワークを確かめて、もう一度試してください。',
    signedOut: 'サインインの期限が切れました。もう一度サインインしてください。',
    refused: (message: string) => `サーバーが受け付けませんでした（${message}）。内容を確かめて、もう一度試してください。`,
    noAccess: 'このストリームに参加していないか、なくなっています。管理者に確かめてください。',
    busy: (seconds: number) => `混み合っています。${number.format(seconds)} 秒ほど待って、もう一度試してください。`,
    server: 'サーバーで問題が起きました。少し待って、もう一度試してください。くり返すときは管理者に知らせてください。',
    malformed: 'サーバーの返事を読めませんでした。少し待って、もう一度試してください。くり返すときは管理者に知らせてください。',
    fileTooLarge: (most: string) => `ファイルが大きすぎます。${most} までのファイルを選んでください。`,
  },

  organisation: {
    heading: '組織',
    search: '部署を検索',
    tree: '部署',
    noAccess: 'アクセス権限がありません。',
    noneFound: '見つかりませんでした',
    noneFoundAdvice: '部署の名前の一部を入れてください。',
    none: '部署がありません',
    fold: '折りたたむ',
    unfold: 'ひらく',
  },

  streams: {
    heading: 'ストリーム',
    search: 'ストリームを検索',
    list: 'ストリームの一覧',
    noneAdvice: '参加しているストリームがここに並びます。',
    noneFound: '見つかりませんでした',
    noneFoundAdvice: 'ストリームの名前の一部を入れてください。',
    preview: (sender: string, text: string) => `${sender}: ${text}`,
  },

  chat: {
    back: '一覧に戻る',
    log: (stream: string) => `${stream} のメッセージ`,
    noStream: 'ストリームを選んでください',
    noStreamAdvice: '組織かストリームの一覧から選ぶと、ここに表示されます。',
    noMessagesAdvice: '最初のメッセージを書いてみましょう。',
    loadingOlder: '前のメッセージを読み込んでいます…',
    olderFailed: '前のメッセージを読み込めませんでした。',
    toNewest: '最新のメッセージへ',
    toNewestWith: (count: number) => `新着 ${number.format(count)} 件`,
    edited: '編集済み',
    topic: (topic: string) => `トピック: ${topic}`,
    sending: '送信中',
    progress: (name: string) => `${name} の送信`,
    notSent: '送信できませんでした。',
    sendAgain: 'もう一度送る',
    takeBack: '入力欄に戻す',
    takeBackBlocked: '選択中のファイルがあります。先に送るか外してから、戻してください。',
    download: 'ダウンロード',
    arrived: (sender: string, text: string) => `${sender}: ${text}`,
  },

  composer: {
    label: (stream: string) => `${stream} へのメッセージ`,
    placeholder: 'メッセージを入力',
    attach: 'ファイルを添付',
    emoji: '絵文字',
    send: '送信',
    hint: 'Enter で送信・Shift + Enter で改行',
    removeFile: (name: string) => `${name} を外す`,
    draftKept: '書きかけの文章は、ファイルの前に送られます',
    cleared: '入力を消しました',
    undo: '元に戻す',
    drop: 'ここに放すと添付します',
    tooLong: (length: number, most: number) =>
      `長すぎて送れません（${number.format(length)} / ${number.format(most)} 文字）。分けて送ってください。`,
    onlyOne: '一度に添付できるファイルは 1 つです。最初のファイルを選びました。',
    tooLarge: (name: string, most: string) =>
      `「${name}」は大きすぎて添付できません。${most} までのファイルを選んでください。`,
  },

  emoji: {
    label: '絵文字を選ぶ',
    search: '絵文字を検索',
    categories: '分類',
    frequent: 'よく使う項目',
    people: '人',
    nature: '自然',
    objects: 'もの',
    places: '場所',
    symbols: '記号',
    noneFound: '見つかりませんでした。「いいね」「party」のような言葉で探せます。',
    failed: '絵文字を読み込めませんでした。',
  },

  settings: {
    heading: '設定',
    name: '名前',
    email: 'メール',
    profile: '個人情報',
    display: '表示',
    language: '言語',
    japanese: '日本語',
    english: 'English',
    theme: 'テーマ',
    light: 'ライト',
    dark: 'ダーク',
    switchMember: 'メンバーを切り替える',
    switchMemberAdvice: 'デモ用のサインインです。ほかのメンバーとして見られます。',
    logout: 'ログアウト',
    languageFailed: '言語を読み込めませんでした。ネットワークを確かめて、もう一度選んでください。',
  },

  session: {
    heading: 'サインイン',
    advice: 'だれとして入るかを選んでください。パスワードはいりません。',
    search: '名前・読み・部署で検索',
    found: (count: number) => `${number.format(count)} 人`,
    noneFound: '見つかりませんでした。名前か読みの一部を入れてください。',
    noCandidates: '選べるメンバーがいません。管理者に確かめてください。',
    otherReadings: 'その他',
    current: '今のメンバー',
  },
};

export type Dictionary = typeof ja;
