import { dictionary } from './LocaleProvider.tsx';
import { en } from './groups.en.ts';
import { ja } from './groups.ja.ts';

export const useGroupsWords = dictionary({ ja, en });
