import { englishNumber as number } from './numbers.ts';
import type { GroupsDictionary } from './groups.ja.ts';

export const en: GroupsDictionary = {
  heading: 'Create a group',
  name: 'Group name',
  counter: (count, most) => `${number.format(count)} / ${number.format(most)}`,
  description: 'Description (optional)',
  descriptionTooLong: (most) => `Use at most ${number.format(most)} characters for the description.`,
  withoutThem: 'Continue without them',
  nameMissing: 'Enter a name for the group.',
  nameTooLong: (most) => `Use at most ${number.format(most)} characters for the name.`,
  members: 'Members',
  tooManyMembers: (most) => `You can add at most ${number.format(most)} people at once.`,
  advice: 'Only you and the people you choose can read this stream.',
  cancel: 'Cancel',
  create: 'Create',
  creating: 'Creating…',
  openThat: 'Open this stream',
};
