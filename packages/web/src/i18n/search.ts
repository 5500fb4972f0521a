import { dictionary } from './LocaleProvider.tsx';
import { en } from './search.en.ts';
import { ja } from './search.ja.ts';

export const useSearchWords = dictionary({ ja, en });
