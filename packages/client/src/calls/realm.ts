import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const updateRealm = callOf(endpoints.updateRealm);
export const getEmojiData = callOf(endpoints.getEmojiData);
export const getRealmEmoji = callOf(endpoints.getRealmEmoji);
export const deleteRealmEmoji = callOf(endpoints.deleteRealmEmoji);
export const getLinkifiers = callOf(endpoints.getLinkifiers);
export const getRealmFilters = callOf(endpoints.getRealmFilters);
