import { dictionary } from './LocaleProvider.tsx';
import { en } from './import.en.ts';
import { ja } from './import.ja.ts';

export const useImportWords = dictionary({ ja, en });
