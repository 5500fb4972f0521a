import { roles, type User } from '@engawa/protocol';

/** Owners are administrators too. */
export const isAdministrator = ({ role }: Pick<User, 'role'>): boolean => role <= roles.administrator;
