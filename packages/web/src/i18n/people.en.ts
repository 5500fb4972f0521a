import type { PeopleDictionary } from './people.ja.ts';

const number = new Intl.NumberFormat('en-GB');

function counted(count: number, one: string, many: string): string {
  return `${number.format(count)} ${count === 1 ? one : many}`;
}

export const en: PeopleDictionary = {
  card: {
    heading: 'Profile',
    status: (busy, text) => [busy, text].filter((part) => part !== '').join(' · '),
    until: (time) => `until ${time}`,
    departments: 'Departments',
    concurrent: 'also',
    concurrentPost: 'a further post beside the main one',
    copyEmail: 'Copy the email address',
    emailCopied: 'The email address was copied.',
    localTime: 'Local time',
    direct: 'Message',
    deactivated: 'This member no longer uses Engawa.',
  },

  status: {
    open: 'Set a status message',
    summary: (text, end) => [text, end].filter((part) => part !== '').join(' · '),
    heading: 'Status',
    kind: 'Availability',
    text: 'Status message',
    suggestions: 'Often said',
    presets: ['In a meeting', 'Out', 'Working remotely', 'On holiday', 'Away from my desk'],
    tooLong: (most) => `Use at most ${number.format(most)} characters.`,
    until: 'Ends',
    ends: { never: 'Never', halfHour: 'In 30 minutes', hour: 'In 1 hour', today: 'Today', at: 'At a time' },
    at: (zone) => `When it ends (${zone ?? 'time in Japan'})`,
    past: 'Choose a time that is still to come.',
    far: (last) => `Choose a time up to ${last}.`,
    cancel: 'Cancel',
    save: 'Save',
    saving: 'Saving…',
  },

  privacy: {
    audienceFor: (name) => `Who may see: ${name}`,
    chosenAudience: (names, others) => (others > 0 ? `${names.join(', ')} and ${number.format(others)} more` : names.join(', ')),
    changeAudience: 'Change',
    audienceMembers: 'Who may see it',
    audienceMembersOfGroups: 'Who may add me to a group',
    audienceAdvice: 'A department stands for whoever is in it or below it, also after they move.',
    audienceEmpty: 'Nobody is chosen. Choose people or departments.',
    audienceTooMany: (people, departments) =>
      `You can choose ${number.format(people)} people and ${number.format(departments)} departments at most.`,
    groupsAdvice: '“Groups” says who may add you to a group.',
    lastSeenAdvice: 'When it is off, nobody sees whether you are there, and you do not see who else is.',
    nobodyAdds: 'Nobody can add me',
    typing: 'Show that I am writing',
    typingAdvice: 'When it is off, nobody is told that you are writing.',
  },

  readers: {
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
    othersUnknown: 'This server does not say who has not read it yet.',
    noDepartment: 'No department',
  },

  createGroup: {
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
  },

  memberPicker: {
    search: 'Search by name, reading or department',
    chosen: (count) => `${counted(count, 'person', 'people')} chosen`,
    chosenWith: (people, departments) =>
      `${counted(people, 'person', 'people')} and ${counted(departments, 'department', 'departments')} chosen`,
    chosenList: 'Chosen members',
    remove: (name) => `Remove ${name}`,
    everyone: (department) => `Everyone in ${department}`,
    share: (chosen, all) => (chosen === 0 ? number.format(all) : `${number.format(chosen)} / ${number.format(all)}`),
    others: 'No department',
    noneFound: 'Nothing found. Type a part of a name, reading or department.',
  },
};
