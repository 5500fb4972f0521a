import type { BlocksDictionary } from './blocks.ja.ts';

export const en: BlocksDictionary = {
  code: 'Code',
  spoiler: 'Hidden content',
  copy: 'Copy the code',
  copied: 'The code was copied.',
  notCopied: 'The code could not be copied. Select it and copy it yourself.',
};
