import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getSubscriptions = callOf(endpoints.getSubscriptions);
export const subscribe = callOf(endpoints.subscribe);
export const unsubscribe = callOf(endpoints.unsubscribe);
export const updateSubscriptions = callOf(endpoints.updateSubscriptions);
export const updateSubscriptionProperties = callOf(endpoints.updateSubscriptionProperties);
export const updateSubscriptionProperty = callOf(endpoints.updateSubscriptionProperty);
export const getSubscriptionStatus = callOf(endpoints.getSubscriptionStatus);
export const updateUserTopic = callOf(endpoints.updateUserTopic);
export const muteTopic = callOf(endpoints.muteTopic);
