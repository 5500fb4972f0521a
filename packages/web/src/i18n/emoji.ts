import { dictionary } from './LocaleProvider.tsx';
import { en } from './emoji.en.ts';
import { ja } from './emoji.ja.ts';

export const useEmojiWords = dictionary({ ja, en });
