export const ja = {
  undeliverable: {
    notSent: '送信先がなくなり、送れなかったメッセージがあります。',
    copy: 'コピー',
    copied: 'メッセージをコピーしました。',
    notCopied: (text: string) => `コピーできませんでした。次のとおりです: ${text}`,
    discard: '破棄',
  },

  firstVisit: {
    label: 'デモのご案内',
    signedInAs: (name: string) => `デモの組織です。${name}さんとしてサインインしています。`,
    switchMember: 'メンバーを切り替える',
  },

  update: {
    there: '新しいバージョンがあります。書きかけのメッセージは、更新しても残ります。',
    sending: '新しいバージョンがあります。送信が終わると、更新できます。',
    losesFiles: '送っていない添付ファイルがあります。更新すると、選び直しが必要です。',
    losesTyping: '入力中の内容があります。更新すると消えます。',
    apply: '更新する',
    applyAnyway: 'それでも更新する',
    later: 'あとで',
  },
};

export type NoticesDictionary = typeof ja;
