import { dictionary } from './LocaleProvider.tsx';
import { en } from './outgoingHooks.en.ts';
import { ja } from './outgoingHooks.ja.ts';

export const useOutgoingHooksWords = dictionary({ ja, en });
