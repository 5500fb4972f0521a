/** The source, as `ja.ts` is for the first screens. */
import { fullNameLength, maxAlertWordLength, maxAlertWords } from '@engawa/protocol';
import { imageRefusals, maxImageSide, maxLocationLength } from '@engawa/protocol/product';

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
    asking:
      'ブラウザーの確認で「許可」を選んでください。確認が出ないときは、アドレスバーの左の印を押し、「通知」を「許可」にしてください。',
    notAllowed:
      '許可されなかったため、通知はオフのままです。もう一度スイッチを押して「許可」を選ぶか、アドレスバーの左の印を押し、「通知」を「許可」にしてください。',
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

  streamNotifications: {
    heading: 'ストリームごとの通知',
    advice: '選ぶとすぐに反映されます。ほかの端末でも同じです。',
    search: 'ストリームを検索',
    of: (stream: string) => `${stream} の通知`,
    levels: { all: 'すべて', mentions: 'メンションのみ', none: 'なし（ミュート）' },
    more: (count: number) => `さらに表示（残り ${number.format(count)} 件）`,
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

  /** R2.9 */
  searchPanel: {
    field: 'メッセージ・ストリーム・メンバーを検索',
    scope: '検索する範囲',
    here: (stream: string) => `「${stream}」内`,
    everywhere: 'すべての会話',
    sender: '送信者',
    senderIs: (name: string) => `送信者: ${name}`,
    senderSearch: '送信者を名前・読みで検索',
    everyone: '全員',
    from: '開始日',
    to: '終了日',
    hasFile: 'ファイルあり',
    clear: '条件を外す',
    results: '検索結果',
    streams: 'ストリーム',
    people: 'メンバー',
    messages: 'メッセージ',
    inOthers: 'ほかの言葉の一部',
    /** Leads to them. */
    messagesOf: (name: string) => `${name}さんのメッセージ`,
    recent: '最近の検索',
    forget: '履歴を消す',
    advice: '言葉を入れると、あなたが読めるメッセージから探します。一文字でも、ひらがなでもカタカナでも見つかります。',
    looking: '検索しています…',
    found: (count: number, more: boolean) => `${number.format(count)} 件${more ? '以上' : ''}`,
    none: '見つかりませんでした',
    noneAdvice: '言葉を短くするか、条件を減らしてください。',
    noneYet: 'ここまでには見つかりませんでした',
    nobody: '見つかりませんでした。名前か読みの一部を入れてください。',
    inAll: 'すべての会話で探す',
    goOn: 'さらに古いメッセージを探す',
    most: (count: number) => `新しい ${number.format(count)} 件までを表示しています。続きは、言葉や期間で絞ってください。`,
  },

  /** A picture as large as the window. */
  pictures: {
    previous: '前の画像',
    next: '次の画像',
    place: (index: number, count: number) => `${number.format(index)} / ${number.format(count)}`,
    tools: (name: string) => `${name} の表示`,
    larger: '拡大',
    smaller: '縮小',
    actual: '原寸で表示',
    whole: '全体を表示',
    percent: (percent: number) => `${number.format(percent)}%`,
    download: 'ダウンロード',
    broken: 'この画像は表示できません。ダウンロードして確かめてください。',
  },

  /** What administrators choose for everyone. */
  organisationSettings: {
    heading: '組織の設定',
    receipts: '既読の表示',
    receiptsAdvice: 'メンバーがどのメッセージの既読を見られるかを決めます。変更はすぐ全員に反映されます。',
    own: '自分のメッセージだけ',
    all: 'すべてのメッセージ',
    none: '表示しない',
  },

  alertWords: {
    heading: '注目する言葉',
    advice: '登録した言葉を含むメッセージが目立ち、「メンションとスター」の画面に集まります。日本語の文の途中でも見つけます。',
    label: '言葉',
    add: '追加',
    list: '登録した言葉',
    remove: (word: string) => `「${word}」を外す`,
    removed: (word: string) => `「${word}」を外しました`,
    undo: '元に戻す',
    counter: (count: number, most: number) => `${number.format(count)} / ${number.format(most)}`,
    count: (count: number, most: number) => `${number.format(count)} 件（${number.format(most)} 件まで）`,
    complaints: {
      missing: '言葉を入れてください。',
      tooLong: `言葉は ${number.format(maxAlertWordLength)} 文字までにしてください。`,
      known: 'この言葉はすでに登録されています。',
      tooMany: `登録できるのは ${number.format(maxAlertWords)} 件までです。使わない言葉を外してください。`,
    },
  },

  /** R2.24.1, R5.1 */
  profileForm: {
    picture: 'プロフィール画像',
    choose: '画像を選ぶ',
    hint: 'JPG・PNG・GIF、5 MB まで',
    builtIn: '用意された画像',
    builtInNames: { 1: '波', 2: '山', 3: '猫', 4: '梅', 6: '茶碗', 7: '竹', 8: '鶴' },
    across: '横の位置',
    down: '縦の位置',
    cropHint: 'ドラッグか矢印キーで動かせます。',
    zoom: '拡大',
    asItIs: 'GIF は動きを残すため、そのまま使います。',
    remove: '画像を外す',
    takeBack: '元の画像に戻す',
    save: '保存',
    saving: '保存しています…',
    /** R5.2: the same in every language. */
    wrongType: imageRefusals.type,
    tooLarge: imageRefusals.size,
    tooWide: `縦と横が ${number.format(maxImageSide)} ピクセルまでの GIF を選んでください。`,
    emailFixed: 'メールアドレスは管理者が変更します。',
    /** By the validator that was not fulfilled. */
    complaints: {
      image: { required: '画像を選んでください。' },
      name: {
        required: '名前を入力してください。',
        minLength: `名前は ${fullNameLength.least} 文字以上で入力してください。`,
        maxLength: `名前は ${fullNameLength.most} 文字以内で入力してください。`,
      },
      email: {
        required: 'メールアドレスを入力してください。',
        email: 'メールアドレスの形式で入力してください。',
        not: 'このメールアドレスは、ほかのメンバーが使っています。',
      },
      location: {
        required: '所在地を入力してください。',
        maxLength: `所在地は ${maxLocationLength} 文字以内で入力してください。`,
      },
    },
  },

  settings: {
    heading: '設定',
    name: '名前',
    email: 'メール',
    profile: '個人情報',
    time: '時刻',
    location: '所在地',
    noLocation: '未設定',
    locationFailed: '読み込めませんでした',
    editProfile: 'プロフィールを編集',
    status: 'ステータス',
    available: '対応可能',
    busy: '取り込み中',
    privacy: 'プライバシー',
    photo: 'プロフィール写真',
    lastSeen: '最終ログイン',
    readReceipts: '既読通知',
    readReceiptsAdvice: 'オフにすると、読んだことは相手に伝わりません。ほかの人の既読も見られなくなります。',
    readReceiptsOff: '表示なし',
    readReceiptsOffAdvice: '組織の設定により、既読はだれにも表示されません。',
    groups: 'グループ',
    everyone: '全員',
    selected: '選択した人',
    nobody: '非公開',
    security: 'セキュリティ',
    notifications: '通知',
    help: 'ヘルプ',
    faqs: 'よくある質問',
    contact: 'お問い合わせ',
    policy: 'プライバシーポリシー',
    shortcuts: 'キーボードショートカット',
    display: '表示',
    language: '言語',
    japanese: '日本語',
    english: 'English',
    theme: 'テーマ',
    administration: '管理',
    administrationAdvice: 'メンバー、部署、ストリーム、組織の設定',
    switchMember: 'メンバーを切り替える',
    switchMemberAdvice: 'デモ用のサインインです。ほかのメンバーとして見られます。',
    logout: 'ログアウト',
    /** Of what goes with the session, when there is some. */
    unsent: (count: number) =>
      count === 0
        ? 'メッセージはすべて送信されました。'
        : `まだ送られていないメッセージが ${number.format(count)} 件あります。ログアウトすると消えます。`,
    stay: 'キャンセル',
    signOut: 'ログアウトする',
    signingOut: 'ログアウトしています…',
    languageFailed: '言語を読み込めませんでした。ネットワークを確かめて、もう一度選んでください。',
  },
};

export type LaterDictionary = typeof ja;
