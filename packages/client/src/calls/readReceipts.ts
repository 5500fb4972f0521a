import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getReadReceipts = callOf(endpoints.getReadReceipts);
export const countReadReceipts = callOf(endpoints.countReadReceipts);
