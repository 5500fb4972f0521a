/** What could not be sent and stands in no list: fetched with what tells of it. Of these words, too, the Japanese are the source. */
export const ja = {
  notSent: '送信先がなくなり、送れなかったメッセージがあります。',
  copy: 'コピー',
  copied: 'メッセージをコピーしました。',
  notCopied: (text: string) => `コピーできませんでした。次のとおりです: ${text}`,
  discard: '破棄',
};

export type StrandedDictionary = typeof ja;
