import { englishNumber as number } from './numbers.ts';
import type { StreamsDictionary } from './streams.ja.ts';

export const en: StreamsDictionary = {
  direct: {
    heading: 'Direct messages',
    kinds: 'Kinds of conversations',
    streams: 'Streams',
    directs: 'Direct',
    list: 'Direct messages',
    search: 'Search by name',
    none: 'No direct messages yet',
    noneAdvice: 'The button above begins one, with one person or with several.',
    noneFoundAdvice: 'Enter a part of a name. Whoever you have not talked to yet is found by the button above.',
    begin: 'New direct message',
    to: 'To',
    advice: 'Only you and those whom you choose can read it. Where you talk among yourselves already, that opens.',
    open: 'Open',
    nobody: 'Choose somebody to write to.',
    tooMany: (most) => `You can choose up to ${number.format(most)} people.`,
    toSelf: (name) => `${name} (notes to yourself)`,
    gone: (names) => `${names} left, so nothing more can be sent here. What was said can still be read.`,
    notThere: 'This conversation cannot be opened. Check the members in its address.',
  },

  organisation: {
    heading: 'Organisation',
    search: 'Search departments',
    tree: 'Departments',
    noAccess: 'You do not have access.',
    noneFoundAdvice: 'Type a part of the department’s name.',
    none: 'No departments',
    noneAdvice: 'They appear here once your administrator has entered them.',
    fold: 'Fold',
    unfold: 'Unfold',
  },

  streams: {
    heading: 'Streams',
    search: 'Search streams',
    list: 'Streams',
    noneAdvice: 'The streams that you belong to appear here. Use + above to create a group.',
    noneFoundAdvice: 'Type a part of the stream’s name.',
    away: 'Archived',
    preview: (sender, text) => `${sender}: ${text}`,
  },

  createGroup: {
    open: 'Create a group',
  },
};
