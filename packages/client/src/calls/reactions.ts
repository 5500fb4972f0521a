import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const addReaction = callOf(endpoints.addReaction);
export const removeReaction = callOf(endpoints.removeReaction);
