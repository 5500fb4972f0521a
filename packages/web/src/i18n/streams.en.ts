import type { StreamsDictionary } from './streams.ja.ts';

export const en: StreamsDictionary = {
  direct: {
    kinds: 'Kinds of conversations',
    streams: 'Streams',
    directs: 'Direct',
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
