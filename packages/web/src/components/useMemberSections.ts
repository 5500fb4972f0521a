import { useMemo } from 'react';
import { useModel } from '../hooks/model.ts';
import { selectDepartments } from '../model/people/selectors.ts';
import { selectPeople } from '../model/people/peopleList.ts';
import { memberSections, type MemberSection } from './memberSections.ts';

/** All members by department. @param excluded A member or members to leave out; must be stable between renders. */
export function useMemberSections(excluded?: number | readonly number[]): readonly MemberSection[] {
  const people = useModel(selectPeople);
  const departments = useModel(selectDepartments);
  return useMemo(() => {
    const out = new Set(typeof excluded === 'number' ? [excluded] : excluded);
    const others = people.filter(({ userId }) => !out.has(userId));
    return memberSections(others, departments ?? []);
  }, [people, departments, excluded]);
}
