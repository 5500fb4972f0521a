import { englishNumber as number } from './numbers.ts';
import type { GroupsDictionary } from './groups.ja.ts';

export const en: GroupsDictionary = {
  heading: 'Create a group',
  name: 'Group name',
  counter: (count, most) => `${number.format(count)} / ${number.format(most)}`,
  description: 'Description (optional)',
  descriptionTooLong: (most) => `Use at most ${number.format(most)} characters for the description.`,
  withoutThem: 'Go on without them',
  nameMissing: 'Give the group a name.',
  nameTooLong: (most) => `A group’s name may have ${number.format(most)} characters.`,
  members: 'Members',
  tooManyMembers: (most) => `At most ${number.format(most)} people can be added at once.`,
  advice: 'Only you and those whom you choose can read this stream.',
  cancel: 'Cancel',
  create: 'Create',
  creating: 'Creating…',
  openThat: 'Open that stream',
};
