import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const updateSubscriptionProperties = callOf(endpoints.updateSubscriptionProperties);
export const updateSubscriptionProperty = callOf(endpoints.updateSubscriptionProperty);
export const updateUserTopic = callOf(endpoints.updateUserTopic);
export const muteTopic = callOf(endpoints.muteTopic);
