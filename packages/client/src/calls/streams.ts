import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const getStreams = callOf(endpoints.getStreams);
export const getStream = callOf(endpoints.getStream);
export const getStreamId = callOf(endpoints.getStreamId);
export const getTopics = callOf(endpoints.getTopics);
export const updateStream = callOf(endpoints.updateStream);
export const deleteStream = callOf(endpoints.deleteStream);
export const getSubscribers = callOf(endpoints.getSubscribers);
export const getStreamEmailAddress = callOf(endpoints.getStreamEmailAddress);
export const addDefaultStream = callOf(endpoints.addDefaultStream);
export const removeDefaultStream = callOf(endpoints.removeDefaultStream);
export const deleteTopic = callOf(endpoints.deleteTopic);
