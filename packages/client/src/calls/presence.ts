import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const updatePresence = callOf(endpoints.updatePresence);
export const getRealmPresence = callOf(endpoints.getRealmPresence);
export const getUserPresence = callOf(endpoints.getUserPresence);
export const getUserPresenceByEmail = callOf(endpoints.getUserPresenceByEmail);
