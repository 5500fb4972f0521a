import { dictionary } from './LocaleProvider.tsx';
import { en } from './blocks.en.ts';
import { ja } from './blocks.ja.ts';

export const useBlocksWords = dictionary({ ja, en });
