/** The picker of emoji. */
export const ja = {
  label: '絵文字を選ぶ',
  search: '絵文字を検索',
  categories: '分類',
  frequent: 'よく使う項目',
  own: 'この組織の絵文字',
  people: '人',
  nature: '自然',
  objects: 'もの',
  places: '場所',
  symbols: '記号',
  noneFound: '見つかりませんでした。「いいね」「party」などの言葉で探せます。',
};

export type EmojiDictionary = typeof ja;
