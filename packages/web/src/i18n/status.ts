import { dictionary } from './LocaleProvider.tsx';
import { en } from './status.en.ts';
import { ja } from './status.ja.ts';

export const useStatusWords = dictionary({ ja, en });
