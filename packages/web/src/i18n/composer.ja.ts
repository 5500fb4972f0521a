import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  label: (stream: string) => `${stream} へのメッセージ`,
  placeholder: 'メッセージを入力',
  attach: 'ファイルを添付',
  emoji: '絵文字',
  send: '送信',
  hint: (byEnter: boolean): string => (byEnter ? 'Enter で送信・Shift + Enter で改行' : 'Ctrl（⌘）+ Enter で送信・Enter で改行'),
  removeFile: (name: string) => `${name} を外す`,
  draftKept: '書きかけの文章は、ファイルの前に送られます',
  files: '送るファイル',
  filesChosen: (count: number, total: string) => `${number.format(count)} 件・合計 ${total}`,
  betweenNotes: '　',
  cleared: '入力を消しました',
  quotes: '引用',
  quoteChip: (author: string, text: string) => `引用: ${author}「${text}」`,
  removeQuote: (author: string) => `${author} の引用を外す`,
  fileHint: 'Enter で送信・Esc で取り消し',
  filesLost: (name: string, others: number) =>
    `読み込み直したため「${name}」${others > 0 ? `ほか ${number.format(others)} 件` : ''}は外れました。もう一度選んでください。`,
  tooLong: '長すぎて送れません。分けて送ってください。',
  length: (length: number, most: number) => `${number.format(length)} / ${number.format(most)} 文字`,
  pastedPicture: '貼り付けた画像',
  tooMany: (most: number, others: number) =>
    `一度に送れるファイルは ${number.format(most)} 件までです。残りの ${number.format(others)} 件は添付していません。`,
  noFolder: 'フォルダーは添付できません。ZIP などの 1 つのファイルにまとめてください。',
  tooLarge: (names: readonly string[], most: string) =>
    `「${names.join('」「')}」は大きすぎて添付できません。${most} までのファイルを選んでください。`,
};

export type ComposerDictionary = typeof ja;
