import { japaneseNumber as number } from './numbers.ts';

export const ja = {
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
};

export type GroupsDictionary = typeof ja;
