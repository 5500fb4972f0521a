/** The source, as `ja.ts` is for the first screens. */
const number = new Intl.NumberFormat('ja-JP');

export const ja = {
  sessions: {
    heading: 'サインイン中の端末',
    advice: '覚えのない端末があれば、サインアウトさせてください。',
    device: (browser: string, system: string) => `${system} の ${browser}`,
    unknownDevice: '不明な端末',
    current: 'この端末',
    signedIn: (time: string) => `サインイン: ${time}`,
    lastUsed: (time: string) => `最終利用: ${time}`,
    list: 'サインイン中の端末の一覧',
    end: 'サインアウト',
    endNamed: (device: string) => `${device} をサインアウトさせる`,
    endOthers: 'ほかの端末をすべてサインアウト',
    endOthersHeading: 'ほかの端末をすべてサインアウト',
    endOthersQuestion: (count: number) =>
      `この端末のほかの ${number.format(count)} 台をサインアウトさせます。送っていない文章は、その端末には残りません。`,
    cancel: 'やめる',
    ending: 'サインアウトしています…',
    ended: (device: string) => `${device} をサインアウトさせました。`,
    endedOthers: 'ほかの端末をすべてサインアウトさせました。',
    onlyThis: 'サインインしているのはこの端末だけです。',
    loading: '端末を読み込んでいます…',
  },
  notifications: {
    inStream: (sender: string, stream: string) => `${sender}（${stream}）`,
    many: (count: number) => `新着メッセージ ${number.format(count)} 件`,
    offAdvice: 'メンションやダイレクトメッセージが届いたことを、ほかの作業をしているときもお知らせします。',
    onAdvice: 'この端末にお知らせします。今読んでいるストリームと、ミュートしたストリームは除きます。',
    denied:
      'このブラウザーで通知がブロックされています。アドレスバーの左の印を押し、「通知」を「許可」にしてから、もう一度お試しください。',
    notAllowed: '通知は許可されませんでした。もう一度スイッチを押し、「許可」を選んでください。',
    unsupported: 'このブラウザーでは通知を使えません。パソコンの Chrome・Edge・Firefox・Safari で開いてください。',
    test: 'テスト通知を送る',
    sampleTitle: '縁側からのテスト通知',
    sampleBody: '通知はこのように表示されます。',
    sampleSent: 'テスト通知を送りました。表示されないときは、端末の通知の設定も確かめてください。',
    sound: '通知音',
    whichSound: '音の種類',
    sounds: { chime: 'チャイム', ding: 'ベル' },
    listen: '聞いてみる',
  },

  display: {
    themes: { light: 'ライト', dark: 'ダーク', system: '端末に合わせる' },
    sendKey: '送信',
    sendKeys: { enter: 'Enter', ctrlEnter: 'Ctrl（⌘）+ Enter' },
    timeZone: '時刻帯',
    timeZoneAdvice: (time: string) => `今は ${time} です。都市の名前（英語）の一部で探せます。`,
    deviceZone: (zone: string) => `この端末の時刻帯にする（${zone}）`,
  },

  help: { failed: 'ヘルプを開けませんでした。ネットワークを確かめて、もう一度試してください。' },
};

export type LaterDictionary = typeof ja;
