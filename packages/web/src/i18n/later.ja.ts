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
};

export type LaterDictionary = typeof ja;
