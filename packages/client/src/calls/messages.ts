import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getMessages = callOf(endpoints.getMessages);
export const sendMessage = callOf(endpoints.sendMessage);
export const updateMessageFlags = callOf(endpoints.updateMessageFlags);
export const checkMessagesMatchNarrow = callOf(endpoints.checkMessagesMatchNarrow);
export const updateMessageFlagsForNarrow = callOf(endpoints.updateMessageFlagsForNarrow);
export const markAllAsRead = callOf(endpoints.markAllAsRead);
export const markStreamAsRead = callOf(endpoints.markStreamAsRead);
export const markTopicAsRead = callOf(endpoints.markTopicAsRead);
