import { counted, englishNumber as number } from './numbers.ts';
import type { MembersDictionary } from './members.ja.ts';

export const en: MembersDictionary = {
  card: {
    heading: 'Profile',
    status: (busy, text) => [busy, text].filter((part) => part !== '').join(' · '),
    until: (time) => `until ${time}`,
    departments: 'Departments',
    concurrent: 'also',
    concurrentPost: 'a post in addition to the main one',
    copyEmail: 'Copy the email address',
    emailCopied: 'The email address was copied.',
    localTime: 'Local time',
    direct: 'Message',
    deactivated: 'This member no longer uses Engawa.',
    guest: 'Guest',
    ownedBy: (name) => `A bot of ${name}`,
    unseen: 'Unknown user',
    unseenAdvice: 'You share no conversation at the moment, so the profile cannot be shown.',
  },

  guests: {
    here: 'Guests can read this',
    names: (names, all) => `${names.join(', ')}${all > names.length ? ` and ${number.format(all - names.length)} more` : ''}`,
    heading: 'Guests',
    advice: 'These people are from outside the organisation. They can read the messages and files of this conversation.',
    guest: 'guest',
  },

  picker: {
    search: 'Search by name, reading or department',
    chosen: (count) => `${counted(count, 'person', 'people')} chosen`,
    chosenWith: (people, departments) =>
      `${counted(people, 'person', 'people')} and ${counted(departments, 'department', 'departments')} chosen`,
    chosenList: 'Chosen members',
    remove: (name) => `Remove ${name}`,
    everyone: (department) => `Everyone in ${department}`,
    share: (chosen, all, names) =>
      `${chosen === 0 ? number.format(all) : `${number.format(chosen)} / ${number.format(all)}`}: ${names.join(', ')}`,
    added: (department, count, names) => {
      const others = count > names.length ? ` and ${number.format(count - names.length)} more` : '';
      return `Chose ${counted(count, 'person', 'people')} from ${department}: ${names.join(', ')}${others}`;
    },
    people: 'Members with a matching name',
    others: 'No department',
    noneFound: 'Nothing found. Type a part of a name, reading or department.',
  },
};
