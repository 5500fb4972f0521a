import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  field: 'メッセージ・ストリーム・メンバーを検索',
  scope: '検索する範囲',
  here: (stream: string) => `「${stream}」内`,
  everywhere: 'すべての会話',
  sender: '送信者',
  senderIs: (name: string) => `送信者: ${name}`,
  senderSearch: '送信者を名前・読みで検索',
  everyone: '全員',
  from: '開始日',
  to: '終了日',
  hasFile: 'ファイルあり',
  clear: '条件を外す',
  results: '検索結果',
  streams: 'ストリーム',
  people: 'メンバー',
  messages: 'メッセージ',
  inOthers: 'ほかの言葉の一部',
  messagesOf: (name: string) => `${name}さんのメッセージ`,
  recent: '最近の検索',
  forget: '履歴を消す',
  advice: '言葉を入れると、あなたが読めるメッセージから探します。一文字でも、ひらがなでもカタカナでも見つかります。',
  looking: '検索しています…',
  found: (count: number, more: boolean) => `${number.format(count)} 件${more ? '以上' : ''}`,
  none: '見つかりませんでした',
  noneAdvice: '言葉を短くするか、条件を減らしてください。',
  wholeWords: '言葉を入れると、あなたが読めるメッセージから探します。',
  /** For a chat server that finds no parts of words. */
  noneOfWholeWords:
    'この組織のチャットサーバーは、単語がそのまま一致するメッセージだけを見つけます。空白で区切られていない日本語の文は、全体でひとつの単語になります。送信者や期間で絞って探すこともできます。',
  fewerFilters: '条件を減らしてください。',
  noneYet: 'ここまでには見つかりませんでした',
  nobody: '見つかりませんでした。名前か読みの一部を入れてください。',
  inAll: 'すべての会話で探す',
  goOn: 'さらに古いメッセージを探す',
  most: (count: number) => `新しい ${number.format(count)} 件までを表示しています。続きは、言葉や期間で絞ってください。`,
};

export type SearchDictionary = typeof ja;
