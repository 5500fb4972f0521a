import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getBotStorage = callOf(endpoints.getBotStorage);
export const updateBotStorage = callOf(endpoints.updateBotStorage);
export const deleteBotStorage = callOf(endpoints.deleteBotStorage);
