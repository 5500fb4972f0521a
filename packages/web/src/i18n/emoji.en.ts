import type { EmojiDictionary } from './emoji.ja.ts';

export const en: EmojiDictionary = {
  label: 'Choose an emoji',
  search: 'Search emoji',
  categories: 'Categories',
  frequent: 'Frequently used',
  own: 'Emoji of this organisation',
  people: 'People',
  nature: 'Nature',
  objects: 'Objects',
  places: 'Places',
  symbols: 'Symbols',
  noneFound: 'Nothing found. Try a word such as “party” or “いいね”.',
};
