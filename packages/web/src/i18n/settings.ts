import { dictionary } from './LocaleProvider.tsx';
import { en } from './settings.en.ts';
import { ja } from './settings.ja.ts';

export const useSettingsWords = dictionary({ ja, en });
