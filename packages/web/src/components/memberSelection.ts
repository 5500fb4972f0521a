import { isNamed, type Member, type MemberSection, type PickedDepartments } from './memberSections.ts';

export interface Option {
  readonly key: string;
  readonly userIds: readonly number[];
  readonly member: Member | undefined;
  /** The code of the department; empty for a member. */
  readonly code: string;
}

export function optionsOf({ key, department, members }: MemberSection): readonly Option[] {
  const whole = department ? [{ key: `${key}-all`, userIds: department.userIds, member: undefined, code: key }] : [];
  const each = members.map((member) => ({ key: `${key}-${member.userId}`, userIds: [member.userId], member, code: '' }));
  return [...whole, ...each];
}

/** The option that Enter toggles after a search: a department with that name, else the first member found. */
export function bestOf(found: readonly MemberSection[], query: string): Option | undefined {
  if (query.trim() === '') return undefined;
  const named = found.find((section) => isNamed(section, query));
  if (named) return optionsOf(named)[0];
  return found.flatMap(optionsOf).find(({ member }) => member);
}

export interface MemberSelection {
  readonly chosen: readonly number[];
  readonly onChoose: (chosen: readonly number[]) => void;
  readonly departments?: PickedDepartments | undefined;
}

export function toggleOption({ userIds, code }: Option, { chosen, onChoose, departments }: MemberSelection): void {
  if (departments && code !== '') {
    const others = departments.chosen.filter((each) => each !== code);
    departments.onChoose(others.length < departments.chosen.length ? others : [...others, code]);
    return;
  }
  const isChosen = new Set(chosen);
  const all = userIds.every((userId) => isChosen.has(userId));
  if (all) onChoose(chosen.filter((userId) => !userIds.includes(userId)));
  else onChoose([...new Set([...chosen, ...userIds])]);
}

export function removeLast({ chosen, onChoose, departments }: MemberSelection): void {
  if (chosen.length > 0) onChoose(chosen.slice(0, -1));
  else departments?.onChoose(departments.chosen.slice(0, -1));
}

export function countChosen({ chosen, departments }: MemberSelection): (option: Option) => number {
  const isChosen = new Set(chosen);
  return ({ userIds, code }) => {
    if (departments && code !== '') return departments.chosen.includes(code) ? userIds.length : 0;
    return userIds.filter((userId) => isChosen.has(userId)).length;
  };
}

export function optionId(listId: string, { key }: Option): string {
  return `${listId}-${key}`;
}
