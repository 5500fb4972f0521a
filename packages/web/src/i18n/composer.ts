import { dictionary } from './LocaleProvider.tsx';
import { en } from './composer.en.ts';
import { ja } from './composer.ja.ts';

export const useComposerWords = dictionary({ ja, en });
