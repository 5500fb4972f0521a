import { dictionary } from './LocaleProvider.tsx';
import { en } from './members.en.ts';
import { ja } from './members.ja.ts';

export const useMembersWords = dictionary({ ja, en });
