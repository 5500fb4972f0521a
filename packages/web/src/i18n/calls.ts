import { en } from './calls.en.ts';
import { ja } from './calls.ja.ts';
import { dictionary } from './LocaleProvider.tsx';

export const useCallsWords = dictionary({ ja, en });
