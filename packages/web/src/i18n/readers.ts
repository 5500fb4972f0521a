import { dictionary } from './LocaleProvider.tsx';
import { en } from './readers.en.ts';
import { ja } from './readers.ja.ts';

export const useReadersWords = dictionary({ ja, en });
