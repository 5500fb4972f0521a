import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getSubscriptions = callOf(endpoints.getSubscriptions);
