import type { SharedHooksDictionary } from './sharedHooks.ja.ts';

export const en: SharedHooksDictionary = {
  edit: 'Change',
  delete: 'Delete',
  hiddenStream: 'A stream that you are not in',
  by: (name) => `Owner: ${name}`,
  error: (text, time) => `${text} (${time})`,
  nameMissing: 'Enter a name of at least two characters',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saving: 'Saving…',
  saved: (name) => `Changed ${name}`,
  copied: 'Copied',
  notCopied: 'Copying failed. Select it and copy it.',
};
