import type { StatusFigure } from '@engawa/protocol/administration';
import { japaneseNumber as number } from './numbers.ts';

interface FigureWords {
  readonly name: string;
  readonly note: string;
}

const figures: Readonly<Record<StatusFigure, FigureWords>> = {
  messages: { name: '送信されたメッセージ', note: '件数' },
  polls: { name: '開いている画面', note: '新着を待っている画面のおよその数' },
  call_ms: { name: '応答の速さ', note: '95 % がこの時間内に応答' },
  loop_ms: { name: '処理の混み具合', note: '処理を始めるまでの待ち時間。95 % がこの時間内' },
  commit_ms: { name: '保存の速さ', note: '95 % がこの時間内にディスクへ保存' },
  failed_calls: { name: 'サーバー側の失敗', note: '件数' },
  failed_sign_ins: { name: '断られたサインイン', note: '件数' },
  free_bytes: { name: 'ディスクの空き', note: 'データのあるディスク' },
};

export const ja = {
  spans: { day: '1 日', week: '1 週間' },
  span: '期間',
  facts: '現在の状態',
  version: '版',
  runs: '起動した日時',
  backup: '最後のバックアップ',
  never: 'まだありません',
  size: 'データの大きさ',
  sizes: (databases: string, files: string) => `データベース ${databases}、ファイル ${files}`,
  free: 'ディスクの空き',
  daysLeft: (days: number) => `今の増え方では、約 ${number.format(days)} 日でいっぱいになります。`,
  noEnd: 'この 1 週間の増え方では、いっぱいになる見込みはありません。',
  signIns: '断られたサインイン（この 1 日）',
  times: (count: number) => `${number.format(count)} 回`,
  findings: '点検の結果',
  levelled: (level: 'ok' | 'warning' | 'problem') => `${{ ok: '問題なし', warning: '注意', problem: '問題' }[level]}: `,
  thorough: 'データベースとファイルの中身は、サーバーで engawa doctor を実行すると調べられます。',
  charts: 'グラフ',
  figures,
  perSample: '5 分ごと',
  perHour: '1 時間ごと',
  latest: (value: string) => `最新 ${value}`,
  most: (value: string) => `最大 ${value}`,
  least: (value: string) => `最小 ${value}`,
  nothing: 'まだ値がありません。起動から 5 分後に最初の値が入ります。',
  unknown: 'このサーバーでは分かりません。',
  ms: (value: number) =>
    value < 1000 ? `${number.format(Math.ceil(value))} ミリ秒` : `${number.format(Math.round(value / 100) / 10)} 秒`,
  count: (value: number) => number.format(value),
};
export type StatusDictionary = typeof ja;
