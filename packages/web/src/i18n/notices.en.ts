import type { NoticesDictionary } from './notices.ja.ts';

export const en: NoticesDictionary = {
  undeliverable: {
    notSent: 'A message could not be sent: you no longer have the place that it was for.',
    copy: 'Copy',
    copied: 'The message was copied.',
    notCopied: (text) => `It could not be copied. It says: ${text}`,
    discard: 'Discard',
  },

  update: {
    there: 'A new version is available. Messages that you are writing are kept.',
    sending: 'A new version is available. You can update once everything has been sent.',
    losesFiles: 'You have chosen files that are not sent. After updating you would have to choose them again.',
    losesTyping: 'What you are typing would be lost by updating.',
    apply: 'Update',
    applyAnyway: 'Update anyway',
    later: 'Later',
  },
};
