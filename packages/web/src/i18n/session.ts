import { dictionary } from './LocaleProvider.tsx';
import { en } from './session.en.ts';
import { ja } from './session.ja.ts';

export const useSessionWords = dictionary({ ja, en });
