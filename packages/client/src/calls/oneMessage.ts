import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getMessage = callOf(endpoints.getMessage);
export const editMessage = callOf(endpoints.editMessage);
export const deleteMessage = callOf(endpoints.deleteMessage);
export const getMessageHistory = callOf(endpoints.getMessageHistory);
export const renderMessage = callOf(endpoints.renderMessage);
