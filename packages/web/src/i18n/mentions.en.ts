import { counted, englishNumber as number } from './numbers.ts';
import type { MentionsDictionary } from './mentions.ja.ts';

export const en: MentionsDictionary = {
  show: 'Show',
  mentioned: 'Mentions',
  unread: 'Unread',
  alerted: 'Alert words',
  starred: 'Starred',
  none: 'No mentions yet',
  noneAdvice: 'Messages that mention you, by name or by department, are listed here.',
  noneAlertedAdvice: 'Add alert words, and new messages with them are listed here.',
  noneStarred: 'No starred messages yet',
  noneStarredAdvice: 'Choose “Star” in the tools of a message to list it here.',
  toSettings: 'Add alert words',
  more: 'Show older messages',
  list: 'Mention',
  found: (count) => (count === 0 ? '' : `${number.format(count)} found`),
  everyone: ['all', 'channel', '全員', 'みんな'],
  inStream: (count) => `${counted(count, 'member', 'members')} of this stream`,
  outside: 'Not in this stream (not notified)',
};
