import { dictionary } from './LocaleProvider.tsx';
import { en } from './password.en.ts';
import { ja } from './password.ja.ts';

export const usePasswordWords = dictionary({ ja, en });
