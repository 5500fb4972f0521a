import type { Member, MemberSection, PickedDepartments } from './memberSections.ts';

export interface Option {
  readonly key: string;
  readonly members: readonly Member[];
  /** Undefined for a member. */
  readonly department: { readonly code: string; readonly name: string } | undefined;
}

export function optionsOf({ key, department, members }: MemberSection): readonly Option[] {
  const each = members.map((member) => ({ key: `${key}-${member.userId}`, members: [member], department: undefined }));
  if (!department) return each;
  const whole = { key: `${key}-all`, members: department.members, department: { code: key, name: department.name } };
  return [whole, ...each];
}

/** The option that Enter toggles after a search. */
export function bestOf(found: readonly MemberSection[], query: string): Option | undefined {
  return query.trim() === '' ? undefined : found.flatMap(optionsOf)[0];
}

export interface MemberSelection {
  readonly chosen: readonly number[];
  readonly onChoose: (chosen: readonly number[]) => void;
  readonly departments?: PickedDepartments | undefined;
}

export interface Addition {
  readonly department: string;
  readonly members: readonly Member[];
}

/** Returns the members that the choice of a department has added; undefined for a member, and for an option that was removed. */
export function toggleOption(option: Option, selection: MemberSelection): Addition | undefined {
  const { chosen, onChoose, departments } = selection;
  const { department, members } = option;
  const isOn = countChosen(selection)(option) === members.length;
  if (departments && department) {
    const others = departments.chosen.filter((code) => code !== department.code);
    departments.onChoose(isOn ? others : [...others, department.code]);
    return isOn ? undefined : { department: department.name, members };
  }
  const userIds = new Set(members.map(({ userId }) => userId));
  const isChosen = new Set(chosen);
  onChoose([...(isOn ? isChosen.difference(userIds) : isChosen.union(userIds))]);
  if (isOn || !department) return undefined;
  return { department: department.name, members: members.filter(({ userId }) => !isChosen.has(userId)) };
}

export function removeLast({ chosen, onChoose, departments }: MemberSelection): void {
  if (chosen.length > 0) onChoose(chosen.slice(0, -1));
  else departments?.onChoose(departments.chosen.slice(0, -1));
}

export function countChosen({ chosen, departments }: MemberSelection): (option: Option) => number {
  const isChosen = new Set(chosen);
  return ({ members, department }) => {
    if (departments && department) return departments.chosen.includes(department.code) ? members.length : 0;
    return members.filter(({ userId }) => isChosen.has(userId)).length;
  };
}

export function optionId(listId: string, { key }: Option): string {
  return `${listId}-${key}`;
}
