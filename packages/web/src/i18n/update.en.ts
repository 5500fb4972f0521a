import type { UpdateDictionary } from './update.ja.ts';

export const en: UpdateDictionary = {
  there: 'A new version is available. Messages that you are writing are kept.',
  sending: 'A new version is available. You can update once everything has been sent.',
  losesFiles: 'You have chosen files that are not sent. After updating you would have to choose them again.',
  losesTyping: 'What you are typing would be lost by updating.',
  apply: 'Update',
  applyAnyway: 'Update anyway',
  later: 'Later',
};
