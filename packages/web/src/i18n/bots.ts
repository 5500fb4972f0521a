import { dictionary } from './LocaleProvider.tsx';
import { en } from './bots.en.ts';
import { ja } from './bots.ja.ts';

export const useBotsWords = dictionary({ ja, en });
