import { fullNameLength } from '@engawa/protocol';
import { japaneseDuration } from './durations.ts';
import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  language: '言語',
  japanese: '日本語',
  english: 'English',
  toSignIn: 'サインインへ',
  failures: {
    wrong: 'メールアドレスかパスワードが違います。',
    deactivated: 'このアカウントは利用を停止されています。管理者に確かめてください。',
    tooMany: (seconds: number) => `試した回数が多すぎます。${japaneseDuration(seconds)}ほど待って、もう一度試してください。`,
    offline: 'サーバーにつながりませんでした。入力した内容は残っています。ネットワークを確かめて、もう一度試してください。',
  },

  fields: {
    code: 'セットアップコード',
    organisation: '組織の名前',
    name: '名前',
    reading: '名前の読み（任意）',
    email: 'メールアドレス',
    password: 'パスワード',
  },

  complaints: {
    code: {
      required: 'セットアップコードを入れてください。',
      maxLength: 'セットアップコードが違います。ログに表示されたとおりに入れてください。',
      wrong: 'セットアップコードが違います。ログに表示されたとおりに入れてください。',
    },
    organisation: { required: '組織の名前を入れてください。', maxLength: '組織の名前は 100 文字までにしてください。' },
    name: {
      required: '名前を入れてください。',
      minLength: `名前は ${fullNameLength.least} 文字以上にしてください。`,
      maxLength: `名前は ${fullNameLength.most} 文字までにしてください。`,
      taken: '同じ名前か、見分けのつかない名前のメンバーがいます。「（営業）」などを付けて区別してください。',
    },
    reading: { maxLength: '読みは 100 文字までにしてください。' },
    email: {
      required: 'メールアドレスを入れてください。',
      email: 'メールアドレスの形になっていません。name@example.com のように入れてください。',
      maxLength: 'メールアドレスが長すぎます。',
      taken: 'このメールアドレスはすでに使われています。',
    },
    password: { required: 'パスワードを入れてください。' },
  },

  /** R1.5: the members to choose from in the fake mode. */
  pick: {
    advice: 'だれとして入るかを選んでください。パスワードはいりません。',
    search: '名前・読み・部署で検索',
    found: (count: number) => `${number.format(count)} 人`,
    noneFound: '見つかりませんでした。名前か読みの一部を入れてください。',
    noCandidates: '選べるメンバーがいません。管理者に確かめてください。',
    otherReadings: 'その他',
    current: '今のメンバー',
  },

  signIn: {
    heading: 'サインイン',
    busy: 'サインインしています…',
    forgotten: 'パスワードを忘れた',
    otherWays:
      '待たずに入るには、前にサインインしたブラウザーを使うか、「パスワードを忘れた」から再設定してください。ほかの人が間違え続けたときも、この方法で入れます。',
    ended:
      'サインアウトされました。ほかの端末か管理者がこのサインインを終わらせたか、パスワードが変わりました。書きかけの文章は残っています。',
    alreadySetUp: 'セットアップはすでに済んでいます。サインインしてください。',
    invitationAgain: 'ページが読み込み直されました。参加するには、招待のリンクをもう一度開いてください。',
    passwordAgain: 'ページが読み込み直されました。パスワードを決めるには、パスワード設定のリンクをもう一度開いてください。',
  },

  /** The sign-in with the name and password of the organisation's chat server. */
  chatServer: {
    advice: '組織のチャットサーバーと同じ名前とパスワードを入れてください。',
    name: 'メールアドレス（またはユーザー名）',
    nameRequired: 'チャットサーバーで使っているメールアドレスかユーザー名を入れてください。',
    wrong: '名前かパスワードが違います。チャットサーバーで使っているものを入れてください。',
    forgotten: 'パスワードを忘れたときは、チャットサーバーの画面で再設定するか、管理者に頼んでください。',
    noPasswords: '組織のチャットサーバーが、パスワードでのサインインを認めていません。管理者に確かめてください。',
    noLinks:
      '招待とパスワードは、組織のチャットサーバーで管理しています。参加やパスワードの変更については、管理者に確かめてください。',
  },

  forgotten: {
    heading: 'パスワードの再設定',
    advice: '登録したメールアドレスに、再設定のためのリンクを送ります。',
    submit: 'リンクを送る',
    busy: '送っています…',
    sentHeading: 'メールを確かめてください',
    sent: (email: string) =>
      `${email} がメンバーのメールアドレスであれば、再設定のリンクを送りました。リンクは 24 時間使えます。何度も申し込んだときは、いちばん新しいメールのリンクをお使いください。届かないときは、迷惑メールも確かめてください。`,
    noMailHeading: 'パスワードを忘れたとき',
    noMail: '組織の管理者に、パスワードの再設定を頼んでください。届いたリンクを開くと、新しいパスワードを決められます。',
    noMailAdministrator: '管理者も入れないときは、サーバーを動かしている人が engawa user reset-password で再設定できます。',
    back: 'サインインに戻る',
  },

  setUp: {
    heading: '縁側をはじめる',
    advice: '組織と、そのオーナーになるあなたのアカウントを作ります。',
    codeAdvice: 'サーバーを起動した画面（ログ）に表示されています。起動のたびに新しくなります。',
    nameAdvice: 'ほかのメンバーに見える名前です。',
    submit: '組織を作る',
    busy: '作っています…',
  },

  invitation: {
    heading: (organisation: string) => `${organisation}への招待`,
    invitedBy: (name: string) => `${name}さんから招待が届いています。`,
    readingAdvice: '名前の検索と並び順に使います。',
    submit: '参加する',
    busy: '参加しています…',
    taken: 'このメールアドレスのメンバーはすでにいます。サインインしてください。',
  },

  password: {
    heading: 'パスワードの設定',
    advice: (name: string) => `${name}さんの新しいパスワードを決めてください。`,
    ends: '設定すると、サインイン中の端末と API キーはすべて使えなくなります。',
    label: '新しいパスワード',
    submit: '設定して入る',
    busy: '設定しています…',
  },

  link: {
    loading: 'リンクを確かめています…',
    failed: 'リンクを確かめられませんでした',
    notValid: 'このリンクは使えません',
    notValidAdvice: {
      invitation:
        'すでに使われたか、期限が切れたか、取り消されています。招待した人に、新しい招待を頼んでください。すでに参加しているときは、サインインしてください。',
      password:
        'すでに使われたか、期限が切れています。もう一度「パスワードを忘れた」から送るか、管理者に新しいリンクを頼んでください。',
    },
    notValidNoMail: 'すでに使われたか、期限が切れています。管理者に新しいリンクを頼んでください。',
    cutOff: 'メールからコピーしたときは、リンクが途中で切れていないかも確かめてください。',
  },

  signedIn: {
    heading: 'このブラウザーはサインイン中です',
    question: (name: string) =>
      `${name}さんとしてサインインしています。続けると、このブラウザーでは${name}さんはサインアウトされます。`,
    goOn: '続ける',
    stay: (name: string) => `${name}さんのまま縁側を開く`,
  },
};

export type SessionDictionary = typeof ja;
