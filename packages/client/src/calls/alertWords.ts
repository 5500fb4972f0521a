import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getAlertWords = callOf(endpoints.getAlertWords);
export const addAlertWords = callOf(endpoints.addAlertWords);
export const removeAlertWords = callOf(endpoints.removeAlertWords);
