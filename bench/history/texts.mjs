// Generated texts of a history, the same in every run.

/** Pseudo-random integers below a limit (mulberry32). */
export function seeded(seed) {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
}

/** Some 40 characters from 2,000 words, some of them frequent. */
export function speaker() {
  const below = seeded(1);
  const kanji = [
    ...'売上資料報告書類予算案件確認連絡担当者部長課題対応完了開始終了変更追加修正検討承認申請来週今日明日午前後時分月火水木金',
  ];
  const words = Array.from({ length: 2000 }, () => kanji[below(kanji.length)] + kanji[below(kanji.length)]);
  const endings = ['を', 'の', 'は', 'が', 'に', 'で', 'です。', 'ください。', 'お願いします。', 'サーバー', 'メール', 'Zoom '];
  return () => {
    let text = '';
    const length = 6 + below(10);
    for (let word = 0; word < length; word += 1) text += words[below(2000)] + endings[below(endings.length)];
    const dice = below(50_000);
    if (dice % 4 === 0) text += '会議室';
    if (dice % 66 === 0) text += '障害です';
    if (dice % 130 === 0) text += 'プロジェクトの進捗';
    if (dice % 150 === 0) text += ' jira-123';
    if (dice === 7) text += '蒟蒻';
    return text;
  };
}

export const terms = [
  ['frequent, two characters', '会議'],
  ['less frequent', '障害'],
  ['rare', '蒟蒻'],
  ['long', 'プロジェクトの進捗'],
  ['one character', '会'],
  ['one rare character', '蒻'],
  ['absent', '鬱蒼'],
  ['absent, of frequent pairs', '会議議会'],
  ['punctuation', 'jira-123'],
  ['two words', '会議 障害'],
];
