import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  people: (count: number) => `${number.format(count)} 人`,
  heading: '既読の状況',
  read: '既読',
  unread: '未読',
  withheld: '非公開',
  withheldAdvice: '既読を知らせない設定にしている人です。読んだかどうかは分かりません。',
  nobodyRead: 'まだだれも読んでいません。',
  nobodyUnread: '全員が読みました。',
  nobodyWhoSendsRead: '既読を知らせている人は、まだだれも読んでいません。',
  nobodyWhoSendsUnread: '既読を知らせている人は、全員読みました。',
  nobodySends: '既読を知らせている人はいません。',
  othersUnknown: 'このサーバーでは、まだ読んでいない人は分かりません。',
  noDepartment: '部署なし',
};

export type ReadersDictionary = typeof ja;
