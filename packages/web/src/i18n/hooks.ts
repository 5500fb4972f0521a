import { dictionary } from './LocaleProvider.tsx';
import { en } from './hooks.en.ts';
import { ja } from './hooks.ja.ts';

export const useHooksWords = dictionary({ ja, en });
