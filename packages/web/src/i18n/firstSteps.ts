import { dictionary } from './LocaleProvider.tsx';
import { en } from './firstSteps.en.ts';
import { ja } from './firstSteps.ja.ts';

export const useFirstStepsWords = dictionary({ ja, en });
