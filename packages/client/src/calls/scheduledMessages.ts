import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getScheduledMessages = callOf(endpoints.getScheduledMessages);
export const createScheduledMessage = callOf(endpoints.createScheduledMessage);
export const updateScheduledMessage = callOf(endpoints.updateScheduledMessage);
export const deleteScheduledMessage = callOf(endpoints.deleteScheduledMessage);
