import { fold } from '@engawa/folding';
import { compareNames } from '../collation.ts';
import { memoise } from '../memoise.ts';
import { personOf, type Person } from './selectors.ts';
import type { PeopleState } from './state.ts';

/** All active members in the order of readings; in the order of names until the directory is loaded. */
export const selectPeople = ({ users, directory }: PeopleState) => peopleByReading(users, directory);

const peopleByReading = memoise((users: PeopleState['users'], directory: PeopleState['directory']): readonly Person[] =>
  [...users.values()]
    .filter(({ is_active }) => is_active !== false)
    .map((user) => {
      const person = personOf(user, directory);
      return { person, key: fold(person.reading || person.fullName) };
    })
    .toSorted((one, other) => compareNames(one.key, other.key))
    .map(({ person }) => person),
);
