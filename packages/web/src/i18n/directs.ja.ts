import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  heading: 'ダイレクトメッセージ',
  list: 'ダイレクトメッセージの一覧',
  search: '会話を相手の名前で検索',
  none: 'ダイレクトメッセージはまだありません',
  noneAdvice: '右上のボタンから、ひとりとでも数人とでも話しはじめられます。',
  noneFoundAdvice: '相手の名前の一部を入れてください。はじめて話す人は、右上のボタンから選べます。',
  begin: '新しいダイレクトメッセージ',
  to: '宛先',
  advice: 'あなたと、選んだ人だけが読めます。同じ顔ぶれの会話がすでにあれば、それを開きます。',
  open: '会話を開く',
  nobody: '宛先を選んでください。',
  tooMany: (most: number) => `選べるのは ${number.format(most)} 人までです。`,
};

export type DirectsDictionary = typeof ja;
