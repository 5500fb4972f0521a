import { dictionary } from './LocaleProvider.tsx';
import { en } from './pictures.en.ts';
import { ja } from './pictures.ja.ts';

export const usePicturesWords = dictionary({ ja, en });
