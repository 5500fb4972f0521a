import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  previous: '前の画像',
  next: '次の画像',
  place: (index: number, count: number) => `${number.format(index)} / ${number.format(count)}`,
  tools: (name: string) => `${name} の表示`,
  larger: '拡大',
  smaller: '縮小',
  actual: '原寸で表示',
  whole: '全体を表示',
  percent: (percent: number) => `${number.format(percent)}%`,
  download: 'ダウンロード',
  broken: 'この画像は表示できません。ダウンロードして確かめてください。',
};

export type PicturesDictionary = typeof ja;
