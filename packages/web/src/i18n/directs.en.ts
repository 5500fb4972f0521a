import { englishNumber as number } from './numbers.ts';
import type { DirectsDictionary } from './directs.ja.ts';

export const en: DirectsDictionary = {
  heading: 'Direct messages',
  list: 'Direct messages',
  search: 'Search by name',
  none: 'No direct messages yet',
  noneAdvice: 'Press the button above to write to one or more people.',
  noneFoundAdvice: 'Type a part of a name. To write to somebody new, press the button above.',
  begin: 'New direct message',
  to: 'To',
  advice: 'Only you and the people you choose can read it. If you already have a conversation, it opens.',
  open: 'Open',
  nobody: 'Choose at least one person.',
  tooMany: (most) => `You can choose up to ${number.format(most)} people.`,
};
