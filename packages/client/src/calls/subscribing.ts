import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const subscribe = callOf(endpoints.subscribe);
export const unsubscribe = callOf(endpoints.unsubscribe);
export const updateSubscriptions = callOf(endpoints.updateSubscriptions);
export const getSubscriptionStatus = callOf(endpoints.getSubscriptionStatus);
