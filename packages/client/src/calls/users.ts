import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getUsers = callOf(endpoints.getUsers);
export const getUser = callOf(endpoints.getUser);
export const getOwnUser = callOf(endpoints.getOwnUser);
export const createUser = callOf(endpoints.createUser);
export const updateUser = callOf(endpoints.updateUser);
export const deactivateUser = callOf(endpoints.deactivateUser);
export const reactivateUser = callOf(endpoints.reactivateUser);
export const updateSettings = callOf(endpoints.updateSettings);
export const updateNotificationSettings = callOf(endpoints.updateNotificationSettings);
export const countEmojiUse = callOf(endpoints.countEmojiUse);
export const regenerateApiKey = callOf(endpoints.regenerateApiKey);
export const getPointer = callOf(endpoints.getPointer);
export const updatePointer = callOf(endpoints.updatePointer);
export const putPointer = callOf(endpoints.putPointer);
export const getUserByEmail = callOf(endpoints.getUserByEmail);
export const deactivateOwnUser = callOf(endpoints.deactivateOwnUser);
