/** A new version of the product: fetched with what tells of it. Of these words, too, the Japanese are the source. */
export const ja = {
  there: '新しいバージョンがあります。書きかけのメッセージは、更新しても残ります。',
  sending: '新しいバージョンがあります。送信が終わると、更新できます。',
  losesFiles: '送っていない添付ファイルがあります。更新すると、選び直しが必要です。',
  losesTyping: '入力中の内容があります。更新すると消えます。',
  apply: '更新する',
  applyAnyway: 'それでも更新する',
  later: 'あとで',
};

export type UpdateDictionary = typeof ja;
