import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  card: {
    heading: 'プロフィール',
    status: (busy: string, text: string) => [busy, text].filter((part) => part !== '').join('・'),
    until: (time: string) => `${time} まで`,
    departments: '部署',
    concurrent: '兼',
    concurrentPost: '兼務',
    copyEmail: 'メールアドレスをコピー',
    emailCopied: 'メールアドレスをコピーしました。',
    localTime: '現地時刻',
    direct: 'メッセージ',
    deactivated: '現在は利用していないメンバーです。',
    guest: '社外の方',
    ownedBy: (name: string) => `${name}さんのボット`,
    unseen: '不明なユーザー',
    unseenAdvice: 'いま同じ会話に参加していないため、プロフィールを表示できません。',
  },

  guests: {
    here: '社外の方がいます',
    names: (names: readonly string[], all: number) =>
      `${names.join('さん、')}さん${all > names.length ? `、ほか ${number.format(all - names.length)} 人` : ''}`,
    heading: '社外の方',
    advice: '次の方は組織の外から参加しています。この会話のメッセージとファイルを読めます。',
    guest: '社外',
  },

  picker: {
    search: '名前・読み・部署で検索',
    chosen: (count: number) => `${number.format(count)} 人を選択中`,
    chosenWith: (people: number, departments: number) =>
      `${number.format(people)} 人と ${number.format(departments)} 部署を選択中`,
    chosenList: '選んだメンバー',
    remove: (name: string) => `${name} を外す`,
    everyone: (department: string) => `${department} 全員`,
    share: (chosen: number, all: number, names: readonly string[]) => {
      const count = chosen === 0 ? `${number.format(all)} 人` : `${number.format(chosen)} / ${number.format(all)} 人`;
      return `${count}：${names.join('、')}`;
    },
    added: (department: string, count: number, names: readonly string[]) => {
      const others = count > names.length ? `、ほか ${number.format(count - names.length)} 人` : '';
      return `${department}から ${number.format(count)} 人を選びました：${names.join('、')}${others}`;
    },
    people: '名前が一致したメンバー',
    others: '部署なし',
    noneFound: '見つかりませんでした。名前か読み、部署の一部を入れてください。',
  },
};

export type MembersDictionary = typeof ja;
