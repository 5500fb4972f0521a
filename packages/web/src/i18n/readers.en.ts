import { counted } from './numbers.ts';
import type { ReadersDictionary } from './readers.ja.ts';

export const en: ReadersDictionary = {
  people: (count) => counted(count, 'person', 'people'),
  heading: 'Read receipts',
  read: 'Read',
  unread: 'Unread',
  withheld: 'Not shared',
  withheldAdvice: 'They do not send read receipts. Nobody can tell whether they have read it.',
  nobodyRead: 'Nobody has read it yet.',
  nobodyUnread: 'Everyone has read it.',
  nobodyWhoSendsRead: 'Nobody who sends read receipts has read it yet.',
  nobodyWhoSendsUnread: 'Everyone who sends read receipts has read it.',
  nobodySends: 'Nobody sends read receipts.',
  othersUnknown: 'This server does not show who has not read it yet.',
  noDepartment: 'No department',
};
