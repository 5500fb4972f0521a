import { dictionary } from './LocaleProvider.tsx';
import { en } from './notifications.en.ts';
import { ja } from './notifications.ja.ts';

export const useNotificationsWords = dictionary({ ja, en });
