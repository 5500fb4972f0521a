export const ja = {
  direct: {
    kinds: '会話の種類',
    streams: 'ストリーム',
    directs: 'ダイレクト',
    toSelf: (name: string) => `${name}（自分用のメモ）`,
    gone: (names: string) => `${names}さんは利用を終えているため、送信できません。これまでの会話は読めます。`,
    notThere: 'この会話は開けません。アドレスのメンバーを確かめてください。',
  },

  organisation: {
    heading: '組織',
    search: '部署を検索',
    tree: '部署',
    noAccess: 'アクセス権限がありません。',
    noneFoundAdvice: '部署の名前の一部を入れてください。',
    none: '部署がありません',
    noneAdvice: '管理者が部署を登録すると、ここに並びます。',
    noneForAdministrator: '設定の「管理」で追加するか、CSV から取り込むと、ここに並びます。',
    noneForGuest: '参加しているストリームの部署が、ここに並びます。',
    fold: '折りたたむ',
    unfold: 'ひらく',
  },

  streams: {
    heading: 'ストリーム',
    search: 'ストリームを検索',
    list: 'ストリームの一覧',
    noneAdvice: '参加しているストリームがここに並びます。右上の＋でグループを作れます。',
    onlyAdded: '参加しているストリームがここに並びます。',
    noneFoundAdvice: 'ストリームの名前の一部を入れてください。',
    away: 'アーカイブ済み',
    draft: '下書き',
    preview: (sender: string, text: string) => `${sender}: ${text}`,
  },

  createGroup: {
    open: 'グループを作成',
  },
};

export type StreamsDictionary = typeof ja;
