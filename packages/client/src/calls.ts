/** One function per call of the chat API. The endpoints in `@engawa/protocol` document parameters and answers. */
import * as endpoints from '@engawa/protocol';
import type { Endpoint, Parameters, ParametersIn } from '@engawa/protocol';
import type { CallOptions, Connection } from './connection.ts';

/* @__NO_SIDE_EFFECTS__ */
function callOf<P extends Parameters, Answer extends Endpoint['answer']>(endpoint: Endpoint<P, Answer>) {
  return (connection: Connection, parameters: ParametersIn<Endpoint<P, Answer>>, options?: CallOptions) =>
    connection.call(endpoint, parameters, options);
}

export const fetchApiKey = callOf(endpoints.fetchApiKey);
export const getServerSettings = callOf(endpoints.getServerSettings);

export const registerQueue = callOf(endpoints.registerQueue);
export const getEvents = callOf(endpoints.getEvents);
export const deleteQueue = callOf(endpoints.deleteQueue);

export const getUsers = callOf(endpoints.getUsers);
export const getUser = callOf(endpoints.getUser);
export const getOwnUser = callOf(endpoints.getOwnUser);
export const createUser = callOf(endpoints.createUser);
export const updateUser = callOf(endpoints.updateUser);
export const deactivateUser = callOf(endpoints.deactivateUser);
export const reactivateUser = callOf(endpoints.reactivateUser);
export const updateSettings = callOf(endpoints.updateSettings);
export const countEmojiUse = callOf(endpoints.countEmojiUse);
export const regenerateApiKey = callOf(endpoints.regenerateApiKey);
export const getPointer = callOf(endpoints.getPointer);
export const updatePointer = callOf(endpoints.updatePointer);
export const putPointer = callOf(endpoints.putPointer);
export const getAlertWords = callOf(endpoints.getAlertWords);
export const addAlertWords = callOf(endpoints.addAlertWords);
export const removeAlertWords = callOf(endpoints.removeAlertWords);

export const getSubscriptions = callOf(endpoints.getSubscriptions);
export const subscribe = callOf(endpoints.subscribe);
export const unsubscribe = callOf(endpoints.unsubscribe);
export const updateSubscriptions = callOf(endpoints.updateSubscriptions);
export const updateSubscriptionProperties = callOf(endpoints.updateSubscriptionProperties);
export const updateSubscriptionProperty = callOf(endpoints.updateSubscriptionProperty);

export const getStreams = callOf(endpoints.getStreams);
export const getStream = callOf(endpoints.getStream);
export const getStreamId = callOf(endpoints.getStreamId);
export const getTopics = callOf(endpoints.getTopics);
export const updateStream = callOf(endpoints.updateStream);
export const deleteStream = callOf(endpoints.deleteStream);

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
export const setTypingStatus = callOf(endpoints.setTypingStatus);

export const updatePresence = callOf(endpoints.updatePresence);
export const getRealmPresence = callOf(endpoints.getRealmPresence);
export const getUserPresence = callOf(endpoints.getUserPresence);
export const updateStatus = callOf(endpoints.updateStatus);
export const getUserStatus = callOf(endpoints.getUserStatus);

export const updateRealm = callOf(endpoints.updateRealm);
export const getRealmEmoji = callOf(endpoints.getRealmEmoji);
export const getLinkifiers = callOf(endpoints.getLinkifiers);
export const getRealmFilters = callOf(endpoints.getRealmFilters);
