import { japaneseNumber as number } from './numbers.ts';

/** The list of mentions, and the candidates in the composer. */
export const ja = {
  show: '表示',
  mentioned: 'メンション',
  unread: '未読',
  alerted: '注目する言葉',
  starred: 'スター',
  none: 'メンションはまだありません',
  noneAdvice: '名前や部署で呼びかけられたメッセージが、ここに集まります。',
  noneAlertedAdvice: '注目する言葉を登録すると、それからのメッセージがここに集まります。',
  noneStarred: 'スターを付けたメッセージはまだありません',
  noneStarredAdvice: 'メッセージの操作で「スターを付ける」を選ぶと、ここに集まります。',
  toSettings: '言葉を登録する',
  more: '前のものを表示',
  list: 'メンションの候補',
  found: (count: number) => (count === 0 ? '' : `候補 ${number.format(count)} 件`),
  everyone: ['ぜんいん', 'みんな', 'all', 'everyone'],
  inStream: (count: number) => `このストリームの ${number.format(count)} 人`,
  outside: '未参加（届きません）',
};

export type MentionsDictionary = typeof ja;
