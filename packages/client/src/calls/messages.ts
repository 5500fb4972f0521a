import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getMessages = callOf(endpoints.getMessages);
export const sendMessage = callOf(endpoints.sendMessage);
export const getMessage = callOf(endpoints.getMessage);
export const editMessage = callOf(endpoints.editMessage);
export const deleteMessage = callOf(endpoints.deleteMessage);
export const getMessageHistory = callOf(endpoints.getMessageHistory);
export const getReadReceipts = callOf(endpoints.getReadReceipts);
export const countReadReceipts = callOf(endpoints.countReadReceipts);
export const renderMessage = callOf(endpoints.renderMessage);
export const addReaction = callOf(endpoints.addReaction);
export const removeReaction = callOf(endpoints.removeReaction);
export const updateMessageFlags = callOf(endpoints.updateMessageFlags);
export const checkMessagesMatchNarrow = callOf(endpoints.checkMessagesMatchNarrow);
