import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  chat: {
    back: '一覧に戻る',
    log: (stream: string) => `${stream} のメッセージ`,
    noStream: 'ストリームを選んでください',
    noStreamAdvice: '組織かストリームの一覧から選ぶと、ここに表示されます。',
    noMessagesAdvice: '最初のメッセージを書いてみましょう。',
    loadingOlder: '前のメッセージを読み込んでいます…',
    olderFailed: '前のメッセージを読み込めませんでした。',
    loadingMore: 'メッセージを読み込んでいます…',
    moreFailed: 'メッセージを読み込めませんでした。',
    gone: 'そのメッセージは見つかりません。削除されたか、閲覧できなくなっています。',
    toolsFailed: 'メッセージの操作を読み込めませんでした。接続を確かめて、ページを読み込み直してください。',
    ledTo: (sender: string, text: string) => `${sender} のメッセージに移動しました。${text}`,
    toFirstUnread: (unread: string) => `${unread}のはじめへ`,
    toNewest: '最新のメッセージへ',
    toNewestWith: (count: number) => `新着 ${number.format(count)} 件`,
    edited: '(編集済み)',
    starred: 'スター付き',
    bot: 'ボット',
    callsYou: 'あなたへのメンション',
    alertsYou: '注目する言葉',
    topic: (topic: string) => `トピック: ${topic}`,
    sending: '送信中',
    held: '送信待ち',
    heldWhy: '前のメッセージを待っています。急ぐときは、それをもう一度送るか、入力欄に戻してください。',
    progress: (name: string) => `${name} の送信`,
    notSent: '送信できませんでした。',
    notWanted: (names: readonly string[]) =>
      `${names.join('さん、')}さんは、あなたからグループに加えられない設定にしています。外して、新しい会話を始めてください。`,
    sendAgain: 'もう一度送る',
    takeBack: '入力欄に戻す',
    takeBackBlocked: '選択中のファイルがいっぱいです。先に送るか外してから、戻してください。',
    download: (name: string, size: string) => `${name} ${size} ダウンロード`,
    openPicture: (name: string) => `${name} を大きく表示`,
    largePicture: '大きな画像です。押すと表示します',
    cancelUpload: (name: string) => `${name} の送信を取り消す`,
    uploadCancelled: (name: string) => `「${name}」の送信を取り消しました。`,
    tooManyPixels: '画素数が多すぎるため表示できません。ダウンロードしてご覧ください',
    noPreview: 'プレビューを表示できません',
    arrived: (sender: string, text: string) => `${sender}: ${text}`,
    notice: {
      created: (name: string) => `${name}さんがグループを作りました`,
      added: (name: string, others: readonly string[], more: number) => {
        const all = [...others.map((each) => `${each}さん`), ...(more > 0 ? [`ほか ${number.format(more)} 人`] : [])];
        return `${name}さんが${all.join('、')}を追加しました`;
      },
    },
  },

  readers: {
    count: (count: number) => `既読 ${number.format(count)}`,
    open: '読んだ人を見る',
    failed: '既読の状況を開けませんでした。ネットワークを確かめて、もう一度押してください。',
  },

  messageTools: {
    reactions: 'リアクション',
    somebody: '不明なメンバー',
    names: (names: readonly string[]) => names.join('、'),
    reaction: (emoji: string, names: readonly string[]) => `${emoji} ${number.format(names.length)} 人: ${names.join('、')}`,
    quoted: (sender: string, time: string, link: string) => `${sender}（${time}） ${link}`,
    editCancelled: '編集をやめました。',
    toolFailed: '読み込めませんでした。接続を確かめて、もう一度お試しください。',
  },

  streamTools: {
    search: 'メッセージを検索',
    audioCall: '音声通話',
    videoCall: 'ビデオ通話',
    more: 'その他の操作',
    closed: (stream: string) => `「${stream}」は削除されました。`,
    left: (stream: string) => `「${stream}」のメンバーではなくなりました。`,
  },

  undo: '元に戻す',
  drop: 'ここに放すと添付します',
};

export type ChatDictionary = typeof ja;
