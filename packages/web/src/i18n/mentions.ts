import { dictionary } from './LocaleProvider.tsx';
import { en } from './mentions.en.ts';
import { ja } from './mentions.ja.ts';

export const useMentionsWords = dictionary({ ja, en });
