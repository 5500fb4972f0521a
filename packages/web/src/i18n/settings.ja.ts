import { fullNameLength, maxAlertWordLength, maxAlertWords } from '@engawa/protocol';
import { maxImageSide, maxLocationLength } from '@engawa/protocol/product';
import { imageRefusals } from '@engawa/protocol/uploads';
import { japaneseDuration } from './durations.ts';
import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  cancel: 'キャンセル',
  save: '保存',
  saving: '保存しています…',
  cancelEnding: 'やめる',
  lastUsed: (time: string) => `最終利用: ${time}`,

  page: {
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
    lastSeen: '最終アクティブ',
    readReceipts: '既読通知',
    readReceiptsAdvice: 'オフにすると、読んだことは相手に伝わりません。ほかの人の既読も見られなくなります。',
    readReceiptsOff: '表示なし',
    readReceiptsOffAdvice: '組織の設定により、既読はだれにも表示されません。',
    groups: 'グループ',
    everyone: '全員',
    selected: '選択した人',
    nobody: '非公開',
    security: 'セキュリティ',
    hooks: 'フック',
    notifications: '通知',
    help: 'ヘルプ',
    faqs: 'よくある質問',
    calls: '通話',
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
    openBots: 'ボット',
    openBotsAdvice: 'プログラムからメッセージを送る',
    switchMember: 'メンバーを切り替える',
    switchMemberAdvice: 'デモ用のサインインです。ほかのメンバーとして見られます。',
    logout: 'ログアウト',
    allSent: 'メッセージはすべて送信されました。',
    losses: (messages: number, drafts: number) => {
      const unsent = messages > 0 ? `まだ送られていないメッセージが ${number.format(messages)} 件あります。` : '';
      const unsaved = drafts > 0 ? `サーバーに未保存の下書きが ${number.format(drafts)} 件あります。` : '';
      return `${unsent}${unsaved}ログアウトすると消えます。`;
    },
    reallySignOut: 'このブラウザーからログアウトします。ご自分で選んだ操作でなければ、キャンセルしてください。',
    signOut: 'ログアウトする',
    signingOut: 'ログアウトしています…',
    languageFailed: '言語を読み込めませんでした。ネットワークを確かめて、もう一度選んでください。',
  },

  /** Words for things that the organisation's chat server keeps, and the product cannot change. */
  elsewhere: {
    administrationAdvice: (hasStreams: boolean): string => (hasStreams ? '部署、ストリーム、取り込み' : '部署、取り込み'),
    keysHeading: 'パスワードと API キー',
    keys: 'パスワードと API キーは、組織のチャットサーバーの画面で変更します。',
    sessionKeys:
      'スマートフォンのアプリなど、この画面のほかでチャットサーバーを使っている端末も、サインアウトすることがあります。',
    audiences:
      'プロフィール写真とステータスは、組織の全員に見えます。この組織のチャットサーバーでは、見せる相手や、グループに加えられる相手を選べません。',
    readReceipts: 'オフにすると、読んだことは相手に伝わりません。',
    email: 'メールアドレスは、組織のチャットサーバーの画面で変更します。',
    alertWords:
      '登録した言葉を含むメッセージが目立ち、「メンションとスター」の画面に集まります。この組織のチャットサーバーは、空白で区切られた言葉だけを見つけます。',
  },

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
    /** R5.2 specifies this text, which is the same in every language. */
    wrongType: imageRefusals.type,
    tooLarge: imageRefusals.size,
    tooWide: `縦と横が ${number.format(maxImageSide)} ピクセルまでの GIF を選んでください。`,
    nameFixed: '名前は管理者が変更します。',
    emailFixed: 'メールアドレスは管理者が変更します。',
    complaints: {
      image: { required: '画像を選んでください。' },
      name: {
        required: '名前を入力してください。',
        minLength: `名前は ${fullNameLength.least} 文字以上で入力してください。`,
        maxLength: `名前は ${fullNameLength.most} 文字以内で入力してください。`,
        taken: '同じ名前か、見分けのつかない名前のメンバーがいます。「（営業）」などを付けて区別してください。',
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

  status: {
    open: '状況をひとことで知らせる',
    summary: (text: string, end: string) => [text, end].filter((part) => part !== '').join('・'),
    kind: '状態',
    text: 'ひとこと',
    suggestions: 'よく使うひとこと',
    presets: ['会議中', '外出', 'テレワーク', '休暇', '離席'],
    tooLong: (most: number) => `${number.format(most)} 文字までにしてください。`,
    until: '終了',
    ends: { never: 'なし', halfHour: '30分', hour: '1時間', today: '今日中', at: '日時を選ぶ' },
    at: (zone: string | undefined) => `終了する日時（${zone ?? '日本時間'}）`,
    past: 'これからの日時を選んでください。',
    far: (last: string) => `${last} までの日時を選んでください。`,
  },

  privacy: {
    changeAudience: '変更',
    audienceFor: (name: string) => `${name}の公開範囲`,
    chosenAudience: (names: readonly string[], others: number) =>
      others > 0 ? `${names.join('、')}、ほか ${number.format(others)} 件` : names.join('、'),
    audienceMembers: '見られる人',
    audienceMembersOfGroups: 'グループに加えられる人',
    audienceAdvice: '部署を選ぶと、その部署と下の部署にいる人が含まれます。異動すると自動で変わります。',
    audienceEmpty: 'だれも選ばれていません。人か部署を選んでください。',
    audienceTooMany: (people: number, departments: number) =>
      `選べるのは ${number.format(people)} 人、${number.format(departments)} 部署までです。`,
    groupsAdvice: '「グループ」は、あなたをグループに加えられる人です。',
    lastSeenAdvice: 'オフにすると、あなたの在席は表示されず、ほかの人の在席も表示されません。',
    nobodyAdds: 'だれも追加できない',
    typing: '入力中の表示',
    typingAdvice: 'オフにすると、入力していることは相手に伝わりません。',
    drafts: '下書きをサーバーに保存',
    draftsAdvice:
      'ほかの端末でも続きを書けます。見られるのは自分だけです。オフにするとサーバーから消え、この端末にだけ残ります。',
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

  display: {
    themes: { light: 'ライト', dark: 'ダーク', system: '端末と同じ' },
    density: '表示密度',
    densities: { standard: '標準', compact: 'コンパクト' },
    densityAdvice: 'コンパクトでは、同じ人が 5 分以内に続けて送ったメッセージをまとめて表示します。',
    sendKey: '送信',
    sendKeys: { enter: 'Enter', ctrlEnter: 'Ctrl（⌘）+ Enter' },
    timeZone: '時刻帯',
    timeZoneAdvice: (time: string) => `今は ${time} です。都市の名前（英語）の一部で探せます。`,
    deviceZone: (zone: string) => `この端末の時刻帯にする（${zone}）`,
  },

  streamNotifications: {
    heading: 'ストリームごとの通知',
    advice: '選ぶとすぐに反映されます。ほかの端末でも同じです。',
    search: 'ストリームを検索',
    of: (stream: string) => `${stream} の通知`,
    levels: { all: 'すべて', mentions: 'メンションのみ', none: 'なし（ミュート）' },
    more: (count: number) => `さらに表示（残り ${number.format(count)} 件）`,
  },

  organisationSettings: {
    heading: '組織の設定',
    receipts: '既読の表示',
    receiptsAdvice: 'メンバーがどのメッセージの既読を見られるかを決めます。変更はすぐ全員に反映されます。',
    own: '自分のメッセージだけ',
    all: 'すべてのメッセージ',
    none: '表示しない',
  },

  ownPassword: {
    heading: 'パスワード',
    open: 'パスワードを変更',
    advice: 'ほかの端末はすべてサインアウトし、API キーもすべて使えなくなります。この端末はそのまま使えます。',
    email: 'メールアドレス',
    current: '現在のパスワード',
    next: '新しいパスワード',
    change: '変更',
    changing: '変更しています…',
    tooMany: (seconds: number) => `試した回数が多すぎます。${japaneseDuration(seconds)}ほど待って、もう一度試してください。`,
    changed: 'パスワードを変更しました。ほかの端末はサインアウトしました。',
  },

  keys: {
    heading: 'API キー',
    advice: 'あなたの名前でプログラムから使うための鍵です。覚えのないものは無効にしてください。',
    list: 'API キーの一覧',
    key: (id: number) => `API キー ${id}`,
    created: (time: string) => `作成: ${time}`,
    neverUsed: 'まだ使われていません',
    none: 'API キーはありません。',
    end: '無効にする',
    endNamed: (name: string) => `${name} を無効にする`,
    endHeading: 'API キーを無効にする',
    endQuestion: (name: string) => `${name} を使っているプログラムは、すぐに使えなくなります。元には戻せません。`,
    endAll: 'すべて無効にする',
    endAllHeading: 'API キーをすべて無効にする',
    endAllQuestion: (count: number) =>
      `${number.format(count)} 個の API キーを使っているプログラムは、すぐに使えなくなります。元には戻せません。`,
    ending: '無効にしています…',
    ended: (name: string) => `${name} を無効にしました。`,
    endedAll: 'API キーをすべて無効にしました。',
    loading: 'API キーを読み込んでいます…',
  },

  sessions: {
    heading: 'サインイン中の端末',
    advice: '覚えのない端末があれば、サインアウトさせてください。',
    device: (browser: string, system: string) => `${system} の ${browser}`,
    unknownDevice: '不明な端末',
    current: 'この端末',
    signedIn: (time: string, address: string) => `サインイン: ${time}${address === '' ? '' : `（${address}\u00a0から）`}`,
    more: (count: number) => `ほかの ${number.format(count)} 台を表示`,
    fewer: 'たたむ',
    list: 'サインイン中の端末の一覧',
    end: 'サインアウト',
    endNamed: (device: string) => `${device} をサインアウトさせる`,
    endOthers: 'ほかの端末をすべてサインアウト',
    endOthersQuestion: (count: number) =>
      `この端末のほかの ${number.format(count)} 台をサインアウトさせます。送っていない文章は、その端末には残りません。`,
    ending: 'サインアウトしています…',
    ended: (device: string) => `${device} をサインアウトさせました。`,
    endedOthers: 'ほかの端末をすべてサインアウトさせました。',
    onlyThis: 'サインインしているのはこの端末だけです。',
    loading: '端末を読み込んでいます…',
  },
};

export type SettingsDictionary = typeof ja;
