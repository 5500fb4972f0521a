import type { StrandedDictionary } from './stranded.ja.ts';

export const en: StrandedDictionary = {
  notSent: 'A message could not be sent: you no longer have the place that it was for.',
  copy: 'Copy',
  copied: 'The message was copied.',
  notCopied: (text) => `It could not be copied. It says: ${text}`,
  discard: 'Discard',
};
