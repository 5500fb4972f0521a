import { dictionary } from './LocaleProvider.tsx';
import { en } from './notices.en.ts';
import { ja } from './notices.ja.ts';

export const useNoticesWords = dictionary({ ja, en });
