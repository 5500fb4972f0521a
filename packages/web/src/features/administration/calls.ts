import {
  administeredMembers,
  administeredStreams,
  administrationPaths as paths,
  firstStepsState,
  invitations,
  mailTest,
  createdDepartment,
  createdMember,
  organisationSettings,
  serverStatus,
  sentInvitations,
  sentLink,
  type DepartmentChange,
  type InvitationCreation,
  type MemberChange,
  type MemberCreation,
  type OrganisationSettings,
} from '@engawa/protocol/administration';
import { departmentTree, paths as productPaths } from '@engawa/protocol/product';
import { chatPaths } from '@engawa/protocol/uploads';
import { z } from 'zod/mini';

const done = z.object({});

const query = (asked: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
};

export type MemberState = 'active' | 'inactive' | 'all';

export const listMembers = (asked: {
  readonly search: string;
  readonly state: MemberState;
  readonly department?: string;
  readonly after?: number | undefined;
}) => ({ method: 'GET', path: paths.members + query(asked), answer: administeredMembers }) as const;

export const makeMember = (body: MemberCreation) =>
  ({ method: 'POST', path: paths.members, body, answer: createdMember }) as const;

export const changeMember = (userId: number, body: MemberChange) =>
  ({ method: 'PATCH', path: `${paths.members}/${userId}`, body, answer: done }) as const;

export const resetPassword = (userId: number) =>
  ({ method: 'POST', path: `${paths.members}/${userId}/reset`, answer: sentLink }) as const;

export const endSessionsOf = (userId: number) =>
  ({ method: 'DELETE', path: `${paths.members}/${userId}/sessions`, answer: done }) as const;

export const listInvitations = () => ({ method: 'GET', path: paths.invitations, answer: invitations }) as const;

export const invite = (body: InvitationCreation) =>
  ({ method: 'POST', path: paths.invitations, body, answer: sentInvitations }) as const;

export const takeBackInvitation = (id: number) =>
  ({ method: 'DELETE', path: `${paths.invitations}/${id}`, answer: done }) as const;

/** Milliseconds. Long, because a telephone may upload slowly. */
const uploadTimeout = 120_000;

export function addEmoji(name: string, picture: File) {
  const body = new FormData();
  body.append('file', picture);
  return { method: 'POST', path: chatPaths.newEmoji + name, body, answer: done, timeoutMilliseconds: uploadTimeout } as const;
}

export const deleteEmoji = (name: string) => ({ method: 'DELETE', path: chatPaths.newEmoji + name, answer: done }) as const;

export const readFirstSteps = () => ({ method: 'GET', path: paths.firstSteps, answer: firstStepsState }) as const;

export const changeFirstSteps = (body: { readonly is_dismissed: boolean }) =>
  ({ method: 'PATCH', path: paths.firstSteps, body, answer: done }) as const;

export const testMail = () => ({ method: 'POST', path: paths.mailTest, answer: mailTest }) as const;

export const readDepartments = () => ({ method: 'GET', path: productPaths.departmentTree, answer: departmentTree }) as const;

const departmentPath = (code: string) => `${paths.departments}/${encodeURIComponent(code)}`;

export const makeDepartment = (body: { readonly displayName: string; readonly parent: string | null }) =>
  ({ method: 'POST', path: paths.departments, body, answer: createdDepartment }) as const;

export const changeDepartment = (code: string, body: DepartmentChange) =>
  ({ method: 'PATCH', path: departmentPath(code), body, answer: done }) as const;

export const deleteDepartment = (code: string) => ({ method: 'DELETE', path: departmentPath(code), answer: done }) as const;

export const changeMembersOf = (code: string, body: { readonly add?: number[]; readonly remove?: number[] }) =>
  ({ method: 'PATCH', path: `${departmentPath(code)}/members`, body, answer: done }) as const;

export const listStreams = (asked: { readonly search: string; readonly after?: string | undefined }) =>
  ({ method: 'GET', path: paths.streams + query(asked), answer: administeredStreams }) as const;

export const readStatus = () => ({ method: 'GET', path: paths.status, answer: serverStatus }) as const;

export const readOrganisation = () => ({ method: 'GET', path: paths.organisation, answer: organisationSettings }) as const;

export const changeOrganisation = (body: Partial<OrganisationSettings>) =>
  ({ method: 'PATCH', path: paths.organisation, body, answer: done }) as const;
