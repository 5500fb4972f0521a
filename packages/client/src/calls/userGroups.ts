import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getUserGroups = callOf(endpoints.getUserGroups);
export const createUserGroup = callOf(endpoints.createUserGroup);
export const updateUserGroup = callOf(endpoints.updateUserGroup);
export const removeUserGroup = callOf(endpoints.removeUserGroup);
export const deactivateUserGroup = callOf(endpoints.deactivateUserGroup);
export const getUserGroupMembers = callOf(endpoints.getUserGroupMembers);
export const updateUserGroupMembers = callOf(endpoints.updateUserGroupMembers);
export const getIsUserGroupMember = callOf(endpoints.getIsUserGroupMember);
export const getUserGroupSubgroups = callOf(endpoints.getUserGroupSubgroups);
export const updateUserGroupSubgroups = callOf(endpoints.updateUserGroupSubgroups);
