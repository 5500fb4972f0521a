import { dictionary } from './LocaleProvider.tsx';
import { en } from './administration.en.ts';
import { ja } from './administration.ja.ts';

export const useAdministrationWords = dictionary({ ja, en });
