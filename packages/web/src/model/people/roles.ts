import { roles, type User } from '@engawa/protocol';

export const isAdministrator = ({ role }: Pick<User, 'role'>): boolean => role <= roles.administrator;
