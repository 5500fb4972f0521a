import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const updateStatus = callOf(endpoints.updateStatus);
export const getUserStatus = callOf(endpoints.getUserStatus);
