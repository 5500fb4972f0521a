import { dictionary } from './LocaleProvider.tsx';
import { en } from './help.en.ts';
import { ja } from './help.ja.ts';

export const useHelpWords = dictionary({ ja, en });
