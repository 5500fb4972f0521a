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
    noneAdvice: 'Press the button above to write to one or more people.',
    noneFoundAdvice: 'Type a part of a name. To write to somebody new, press the button above.',
    begin: 'New direct message',
    to: 'To',
    advice: 'Only you and the people you choose can read it. If you already have a conversation, it opens.',
    open: 'Open',
    nobody: 'Choose at least one person.',
    tooMany: (most) => `You can choose up to ${number.format(most)} people.`,
    toSelf: (name) => `${name} (notes to yourself)`,
    gone: (names) => `${names} left, so you cannot send messages here. You can still read the earlier ones.`,
    notThere: 'This conversation cannot be opened. Check the members in its address.',
  },

  organisation: {
    heading: 'Organisation',
    search: 'Search departments',
    tree: 'Departments',
    noAccess: 'You do not have access.',
    noneFoundAdvice: 'Type a part of the department’s name.',
    none: 'No departments',
    noneAdvice: 'They appear here once your administrator has added them.',
    noneForAdministrator: 'Add them or import a CSV file under Administration in the settings.',
    noneForGuest: 'The departments of your streams appear here.',
    fold: 'Collapse',
    unfold: 'Expand',
  },

  streams: {
    heading: 'Streams',
    search: 'Search streams',
    list: 'Streams',
    noneAdvice: 'Your streams appear here. Press + above to create a group.',
    onlyAdded: 'Your streams appear here.',
    noneFoundAdvice: 'Type a part of the stream’s name.',
    away: 'Archived',
    draft: 'Draft',
    preview: (sender, text) => `${sender}: ${text}`,
  },

  createGroup: {
    open: 'Create a group',
  },
};
