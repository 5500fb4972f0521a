import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const fetchApiKey = callOf(endpoints.fetchApiKey);
export const getServerSettings = callOf(endpoints.getServerSettings);
