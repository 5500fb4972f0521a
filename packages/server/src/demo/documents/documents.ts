import { extensionOf } from '@engawa/protocol';
import { pdf } from './pdf.ts';
import { type Colour, png } from './png.ts';
import { xlsx } from './xlsx.ts';

export function documentOf(name: string): Buffer {
  const kind = extensionOf(name);
  const title = name.replace(/\.[^.]+$/, '');
  if (kind === '.xlsx')
    return xlsx(
      '一覧',
      tables[name] ?? [
        ['項目', '担当', '状態'],
        [title, '', ''],
      ],
    );
  if (kind === '.pdf') return pdf([title, '株式会社 縁側', ...(papers[name] ?? [])]);
  if (kind === '.png') return name.startsWith('ねこ') ? cat() : chart([340, 96], 400);
  return Buffer.from(`${title}\n\n${notes}`);
}

const tables: Readonly<Record<string, readonly (readonly (string | number)[])[]>> = {
  'リリース手順書_v2.4.xlsx': [
    ['順', '作業', '担当', '目安（分）', '戻し方'],
    [1, 'お知らせの掲載を確認する', '高橋', 5, '掲載を取り下げる'],
    [2, 'データベースの控えを取る', '松本', 15, '不要'],
    [3, '検証環境で最終確認をする', '山口', 30, '不要'],
    [4, '本番の半分を新しい版に切り替える', '吉田', 10, '前の版に戻す'],
    [5, '誤りの数と応答時間を 15 分見る', '渡辺', 15, '前の版に戻す'],
    [6, '残りを切り替える', '吉田', 10, '前の版に戻す'],
    [7, '完了を知らせる', '佐藤', 5, '不要'],
  ],
  '試験指摘一覧_1回目.xlsx': [
    ['番号', '画面', '指摘', '重さ', '状態'],
    [1, 'チャット', '変換を確定する Enter で送信されることがある', '高', '修正済み'],
    [2, '組織', '上下の矢印キーで末尾から先頭に戻らない', '低', '修正中'],
    [3, 'ストリーム', '未読数が 100 を超えると枠からはみ出す', '中', '修正済み'],
    [4, '検索', '「髙橋」で「高橋」が見つからない', '中', '確認待ち'],
    [5, '設定', '閉じるボタンに名前がない', '低', '修正済み'],
  ],
  '移転候補,比較表_大阪.xlsx': [
    ['候補', '最寄り駅', '広さ（坪）', '月額（万円）', '席数', '所感'],
    ['A 案', '本町', 82, 148, 40, '会議室が一つ足りない'],
    ['B 案', '淀屋橋', 95, 171, 46, '駅に近い。第一候補'],
    ['C 案', '新大阪', 110, 165, 52, '出張に便利、来客には遠い'],
  ],
};

const papers: Readonly<Record<string, readonly string[]>> = {
  'アイコン一覧_第1案.pdf': ['送信、添付、絵文字、検索、通話、設定の六点です。', '線の太さは 1.5、角は丸めています。'],
  '試験報告書_RC2.pdf': ['実施 214 件、合格 211 件、保留 3 件。', '保留はいずれも表示の乱れで、公開の妨げにはなりません。'],
  '見積書_みなとや百貨店様,改2.pdf': [
    '年間利用料（200 名） 2,400,000 円',
    '導入支援 一式 300,000 円',
    '有効期限 発行日から 30 日',
  ],
};

const notes = `対象: 5 名（営業 2、開発 1、管理 2）
時間: 一人 30 分

・朝いちばんに未読の多いところから開く人が 4 名。
・添付は名前を見て探す。日付が名前に入っていると助かる。
・移動中は読むだけ。返事は席に戻ってから。
・スタンプより絵文字ひとつのほうが気軽、という声。
`;

const paper: Colour = [250, 250, 246];
const ink: Colour = [60, 63, 54];
const before: Colour = [176, 180, 166];
const after: Colour = [61, 122, 94];

function chart(values: readonly [number, number], most: number): Buffer {
  const [width, height, floor] = [480, 320, 280];
  const bars = values.map((value, index) => ({
    left: 110 + index * 150,
    top: floor - Math.round((value / most) * 240),
    colour: index === 0 ? before : after,
  }));
  return png(width, height, (x, y) => {
    if (y === floor && x > 60 && x < 420) return ink;
    const bar = bars.find(({ left, top }) => x >= left && x < left + 100 && y >= top && y < floor);
    if (bar) return bar.colour;
    return y < floor && (floor - y) % 60 === 0 && x > 60 && x < 420 ? [226, 228, 219] : paper;
  });
}

function cat(): Buffer {
  const fur: Colour = [94, 86, 78];
  const cushion: Colour = [214, 150, 118];
  return png(480, 320, (x, y) => {
    const eye = [140, 186].some((middle) => within(x, y, middle, 160, 14, 9) && !within(x, y, middle, 156, 15, 8));
    if (eye || within(x, y, 163, 176, 5, 4)) return [40, 36, 33];
    if (within(x, y, 163, 165, 62, 48) || ear(x, y, 128) || ear(x, y, 198)) return fur;
    if (within(x, y, 268, 208, 118, 66)) return within(x, y, 268, 196, 80, 40) ? [108, 99, 90] : fur;
    if (within(x, y, 245, 256, 190, 40)) return cushion;
    return y > 262 ? [222, 205, 170] : [238, 240, 232];
  });
}

function within(x: number, y: number, middleX: number, middleY: number, wide: number, high: number): boolean {
  return ((x - middleX) / wide) ** 2 + ((y - middleY) / high) ** 2 < 1;
}

function ear(x: number, y: number, tip: number): boolean {
  return y > 92 && y < 140 && Math.abs(x - tip) < (y - 92) / 2.2;
}
