import { dictionary } from './LocaleProvider.tsx';
import { en } from './messageTools.en.ts';
import { ja } from './messageTools.ja.ts';

export const useMessageToolsWords = dictionary({ ja, en });
