import { dictionary } from './LocaleProvider.tsx';
import { en } from './directs.en.ts';
import { ja } from './directs.ja.ts';

export const useDirectsWords = dictionary({ ja, en });
