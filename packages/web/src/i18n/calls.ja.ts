import { japaneseNumber as number } from './numbers.ts';

const people = (count: number) => `${number.format(count)} 人`;
const joined = (names: readonly string[], others: number) =>
  `${names.map((name) => `${name}さん`).join('、')}${others > 0 ? `ほか ${people(others)}` : ''}`;

export const ja = {
  kinds: { audio: '音声通話', video: 'ビデオ通話' },
  panel: '通話',
  you: 'あなた',
  someone: '不明なメンバー',
  close: '閉じる',

  join: {
    limit: (most: number) => `${number.format(most)} 人まで参加できます。`,
    limitOfCameras: (most: number) => `カメラは ${number.format(most)} 人まで使えます。`,
    already: (names: readonly string[], others: number) => `${joined(names, others)}が参加しています。`,
    nobodyOnline: 'いまオンラインの方がいません。呼び出すと、30 秒後に不在着信として残ります。',
    rings: (name: string, isPerson: boolean) =>
      `参加すると、${isPerson ? `${name}さん` : `「${name}」のメンバー`}を 30 秒間呼び出します。`,
    mutedAtFirst: '人数が多いため、マイクを切った状態で参加します。',
    asking: 'マイクの使用を許可してください。ブラウザーが確認を表示しています。',
    askingBoth: 'マイクとカメラの使用を許可してください。ブラウザーが確認を表示しています。',
    ownPicture: '自分の映像',
    cameraIsOff: 'カメラはオフです',
    level: 'マイクの音量',
    levelAdvice: '話すと、棒が動きます。',
    devices: { microphone: 'マイク', camera: 'カメラ', speaker: 'スピーカー' },
    unnamed: (kind: string, index: number) => `${kind} ${number.format(index)}`,
    testSound: 'テスト音を鳴らす',
    record: '3 秒録って聞く',
    recording: '録っています…',
    start: '通話を始める',
    join: '参加する',
    listen: '聞くだけで参加',
    cancel: 'やめる',
    again: 'もう一度試す',
    joining: '参加しています…',
    move: 'こちらに切り替える',
    otherDevice: '別の端末で通話中です。こちらに切り替えますか？',
    otherTab: '別のタブで通話中です。こちらに切り替えますか？',
  },

  problems: {
    insecure: 'この接続（http）ではブラウザーがマイクを使わせません。管理者に https のアドレスをお尋ねください。',
    unsupported: 'このブラウザーは通話に対応していません。',
    refused:
      'マイクの使用が許可されていません。アドレス欄の鍵の印から許可して、もう一度お試しください。聞くだけで参加することもできます。',
    cameraRefused: 'カメラの使用が許可されていません。音声で参加します。アドレス欄の鍵の印から許可できます。',
    noMicrophone: 'マイクが見つかりません。聞くだけで参加できます。',
    noCamera: 'カメラがありません。音声で参加します。',
    microphoneInUse: 'マイクをほかのアプリが使っています。閉じてからもう一度お試しください。',
    cameraInUse: 'カメラをほかのアプリが使っています。閉じてからもう一度お試しください。',
  },

  ring: {
    label: (name: string) => `${name}さんからの着信`,
    audio: '音声通話の着信',
    video: 'ビデオ通話の着信',
    inStream: (stream: string) => `「${stream}」`,
    acceptAudio: '音声で出る',
    acceptVideo: 'ビデオで出る',
    decline: '出ない',
    keys: 'Ctrl + Shift + A で出る、Ctrl + Shift + D で断る',
  },

  missed: {
    label: '不在着信',
    from: (name: string, time: string) => `不在着信（${name}さん、${time}）`,
    advice: '押すと会話を開きます。',
    back: 'かけ直す',
  },

  tile: {
    speaking: '発言中',
    muted: 'マイクはオフ',
    listens: '聞くだけ',
    links: { connecting: 'つないでいます…', reconnecting: 'つなぎ直しています…', noPath: 'つながりません' },
    noPath: (name: string) =>
      `${name}さんと直接つながりません。ネットワークが端末どうしの通信を止めている可能性があります（管理者向け: TURN_URL）。`,
    reconnect: 'つなぎ直す',
    camera: (name: string) => `${name}さんの映像`,
    ownCamera: '自分の映像',
    screen: (name: string) => `${name}さんの画面`,
    ownScreen: 'あなたの画面を共有しています',
  },

  state: {
    waiting: '呼び出しています…',
    alone: 'ほかの参加者を待っています',
    ringAgain: 'もう一度呼び出す',
    joining: 'つないでいます…',
    serverAway: 'サーバーにつながりませんが、通話は続いています。',
    noMediaServer:
      '通話を中継するサーバーにつながりません。ネットワークが通信を止めている可能性があります（管理者向け: CALLS_UDP_PORT、LIVEKIT_URL）。',
    camerasOff: (from: number) => `${number.format(from)} 人以上では音声と画面共有だけになります。`,
    deviceLost: (lost: string, now: string | undefined) =>
      `「${lost}」が外れました。${now === undefined ? '' : `「${now}」に切り替えました。`}`,
    talking: '話せます（スペースを離すと切れます）',
    participants: (count: number) => `参加者 ${people(count)}`,
  },

  controls: {
    label: '通話の操作',
    mute: 'マイクを切る',
    unmute: 'マイクを入れる',
    cameraOn: 'カメラを入れる',
    cameraOff: 'カメラを切る',
    screenOn: '画面を共有',
    screenOff: '共有をやめる',
    flip: 'カメラの前後を切り替える',
    devices: 'マイク・カメラ・スピーカー',
    leave: '退出',
    collapse: '小さくする',
    expand: '通話を開く',
    enlarge: '大きくする',
  },

  said: {
    joined: (name: string) => `${name}さんが参加しました`,
    left: (name: string) => `${name}さんが退出しました`,
    muted: 'マイクを切りました',
    unmuted: 'マイクを入れました',
    otherMuted: (name: string) => `${name}さんがマイクを切りました`,
    otherUnmuted: (name: string) => `${name}さんがマイクを入れました`,
    sharing: (name: string) => `${name}さんが画面を共有しています`,
  },

  ended: {
    unanswered: '応答がありませんでした。',
    declined: 'いまは出られないとのことです。',
    moved: '通話を別の端末またはタブに切り替えました。',
    full: (most: number) => `この通話は満員です（${number.format(most)} 人まで）。`,
    removed: 'この会話のメンバーではなくなったため、通話から退出しました。',
    over: '通話が終わりました。',
    failed: '通話につながりませんでした。しばらくしてから、もう一度お試しください。',
  },

  elsewhere: {
    otherTab: '別のタブで通話中です。',
    toTab: '通話中のタブへ',
    move: 'このタブに切り替える',
    /** The notification by which a member reaches the tab of the call, because a page cannot bring another tab to the front. */
    here: '通話中のタブはこちらです',
    pressNotification: '通知を押すと、通話中のタブが開きます。',
    findTab: 'ブラウザーのタブから、通話中のタブを選んでください。通知を許可すると、ここから開けます。',
  },

  ongoing: {
    label: '進行中の通話',
    one: (name: string) => `${name}さんが通話中です`,
    many: (names: readonly string[], others: number) => `${joined(names, others)}が通話中です`,
    join: '参加する',
  },

  card: {
    minutes: (minutes: number) => (minutes === 0 ? '1 分未満' : minutes < 60 ? `${number.format(minutes)} 分` : hours(minutes)),
    people,
    unanswered: '応答なし',
    ongoing: '通話中',
    join: '参加する',
    summary: (parts: readonly string[]) => parts.join('・'),
    back: 'かけ直す',
  },
};

function hours(minutes: number): string {
  const rest = minutes % 60;
  return `${number.format(Math.floor(minutes / 60))} 時間${rest === 0 ? '' : ` ${number.format(rest)} 分`}`;
}

export type CallsDictionary = typeof ja;
