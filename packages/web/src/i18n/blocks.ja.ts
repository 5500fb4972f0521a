export const ja = {
  code: 'コード',
  spoiler: '伏せられた内容',
  copy: 'コードをコピー',
  copied: 'コードをコピーしました。',
  notCopied: 'コピーできませんでした。コードを選択してコピーしてください。',
};

export type BlocksDictionary = typeof ja;
