import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const createBot = callOf(endpoints.createBot);
export const getBots = callOf(endpoints.getBots);
export const updateBot = callOf(endpoints.updateBot);
export const deactivateBot = callOf(endpoints.deactivateBot);
export const regenerateBotApiKey = callOf(endpoints.regenerateBotApiKey);
export const getBotApiKey = callOf(endpoints.getBotApiKey);
