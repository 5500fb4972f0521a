/** Passwords and keys: fetched with what asks for them. Of these words, too, the Japanese are the source. */
import { passwordLength } from '@engawa/protocol';
import { japaneseDuration } from './duration.ts';

const number = new Intl.NumberFormat('ja-JP');

export const ja = {
  password: {
    show: (label: string) => `${label}を表示`,
    capsLock: 'Caps Lock がオンになっています。',
    /** What is asked before anything is typed, and how strong it is then. */
    advice: `${passwordLength.least} 文字以上。長いほど安全です。記号や数字を混ぜる必要はありません。`,
    missing: (characters: number) => `あと ${number.format(characters)} 文字必要です。`,
    enough: '使えます。12 文字以上にすると、さらに安全です。',
    strong: '十分な長さです。',
    complaints: {
      required: 'パスワードを入れてください。',
      minLength: `パスワードは ${passwordLength.least} 文字以上にしてください。`,
      maxLength: `パスワードは ${number.format(passwordLength.most)} 文字までにしてください。`,
      weak: '推測されやすいパスワードです。別のパスワードにしてください。',
      wrong: '現在のパスワードが違います。',
      same: '現在と同じパスワードです。別のパスワードにしてください。',
    },
  },

  ownPassword: {
    heading: 'パスワード',
    open: 'パスワードを変更',
    advice: 'ほかの端末はすべてサインアウトし、API キーもすべて使えなくなります。この端末はそのまま使えます。',
    email: 'メールアドレス',
    current: '現在のパスワード',
    next: '新しいパスワード',
    cancel: 'キャンセル',
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
    lastUsed: (time: string) => `最終利用: ${time}`,
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
    cancel: 'やめる',
    ending: '無効にしています…',
    ended: (name: string) => `${name} を無効にしました。`,
    endedAll: 'API キーをすべて無効にしました。',
    loading: 'API キーを読み込んでいます…',
  },
};

export type AccountDictionary = typeof ja;
