/** Who members are, what they show of themselves, and choosing them: fetched with what shows it. Of these words, too, the Japanese are the source. */
const number = new Intl.NumberFormat('ja-JP');

export const ja = {
  /** Who somebody is. */
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
  },

  /** What a member says of themselves at the moment. */
  status: {
    open: '状況をひとことで知らせる',
    summary: (text: string, end: string) => [text, end].filter((part) => part !== '').join('・'),
    heading: 'ステータス',
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
    cancel: 'キャンセル',
    save: '保存',
    saving: '保存しています…',
  },

  /** To whom what is open. */
  privacy: {
    audienceFor: (name: string) => `${name}の公開範囲`,
    chosenAudience: (names: readonly string[], others: number) =>
      others > 0 ? `${names.join('、')}、ほか ${number.format(others)} 件` : names.join('、'),
    changeAudience: '変更',
    audienceMembers: '見られる人',
    audienceMembersOfGroups: 'グループに加えられる人',
    audienceAdvice: '部署を選ぶと、その部署と下の部署にいる人が含まれます。異動すると自動で変わります。',
    audienceEmpty: 'だれも選ばれていません。人か部署を選んでください。',
    audienceTooMany: (people: number, departments: number) =>
      `選べるのは ${number.format(people)} 人、${number.format(departments)} 部署までです。`,
    groupsAdvice: '「グループ」は、あなたをグループに加えられる人です。',
    lastSeenAdvice: 'オフにすると、あなたの在席は表示されず、ほかの人の在席も表示されません。',
    /** In place of 非公開. */
    nobodyAdds: 'だれも追加できない',
    typing: '入力中の表示',
    typingAdvice: 'オフにすると、入力していることは相手に伝わりません。',
  },

  /** Who has read a message. */
  readers: {
    people: (count: number) => `${number.format(count)} 人`,
    heading: '既読の状況',
    read: '既読',
    unread: '未読',
    withheld: '非公開',
    withheldAdvice: '既読を知らせない設定にしている人です。読んだかどうかは分かりません。',
    nobodyRead: 'まだだれも読んでいません。',
    nobodyUnread: '全員が読みました。',
    /** Where others do not say what they read. */
    nobodyWhoSendsRead: '既読を知らせている人は、まだだれも読んでいません。',
    nobodyWhoSendsUnread: '既読を知らせている人は、全員読みました。',
    nobodySends: '既読を知らせている人はいません。',
    othersUnknown: 'このサーバーでは、まだ読んでいない人は分かりません。',
    noDepartment: '部署なし',
  },

  /** R2.7.1, R2.7.2 */
  createGroup: {
    heading: 'グループを作成',
    name: 'グループ名',
    counter: (count: number, most: number) => `${number.format(count)} / ${number.format(most)}`,
    description: '説明（任意）',
    descriptionTooLong: (most: number) => `説明は ${number.format(most)} 文字までにしてください。`,
    withoutThem: 'この人を除いて続ける',
    nameMissing: 'グループ名を入れてください。',
    nameTooLong: (most: number) => `グループ名は ${number.format(most)} 文字までにしてください。`,
    members: 'メンバー',
    tooManyMembers: (most: number) => `一度に加えられるのは ${number.format(most)} 人までです。`,
    advice: 'あなたと、選んだ人だけが読めるストリームになります。',
    cancel: 'キャンセル',
    create: '作成',
    creating: '作成しています…',
    openThat: 'そのストリームを開く',
  },

  memberPicker: {
    search: '名前・読み・部署で検索',
    chosen: (count: number) => `${number.format(count)} 人を選択中`,
    chosenWith: (people: number, departments: number) =>
      `${number.format(people)} 人と ${number.format(departments)} 部署を選択中`,
    chosenList: '選んだメンバー',
    remove: (name: string) => `${name} を外す`,
    everyone: (department: string) => `${department} 全員`,
    share: (chosen: number, all: number) =>
      chosen === 0 ? `${number.format(all)} 人` : `${number.format(chosen)} / ${number.format(all)} 人`,
    others: '部署なし',
    noneFound: '見つかりませんでした。名前か読み、部署の一部を入れてください。',
  },
};

export type PeopleDictionary = typeof ja;
