import type { NoticesDictionary } from './notices.ja.ts';

export const en: NoticesDictionary = {
  undeliverable: {
    notSent: 'A message could not be sent, because its conversation is no longer available to you.',
    copy: 'Copy',
    copied: 'The message was copied.',
    notCopied: (text) => `The message could not be copied. It says: ${text}`,
    discard: 'Discard',
  },

  firstVisit: {
    label: 'About this demo',
    signedInAs: (name) => `This is a demo organisation. You are signed in as ${name}.`,
    switchMember: 'Switch member',
  },

  update: {
    there: 'A new version is available. Messages that you are writing are kept.',
    sending: 'A new version is available. You can update once everything has been sent.',
    losesFiles: 'You have chosen files that are not sent yet. After the update, you have to choose them again.',
    losesTyping: 'The update deletes what you are typing.',
    apply: 'Update',
    applyAnyway: 'Update anyway',
    later: 'Later',
  },
};
