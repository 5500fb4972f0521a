import { dictionary } from './LocaleProvider.tsx';
import { en } from './stream.en.ts';
import { ja } from './stream.ja.ts';

export const useStreamWords = dictionary({ ja, en });
