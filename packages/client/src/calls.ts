/** One function per call of the chat API; what each takes, answers and where it is documented stands in protocol. */
import * as endpoints from '@engawa/protocol';
import type { AnswerOut, Endpoint, Parameters, ParametersIn } from '@engawa/protocol';
import type { CallOptions, Connection } from './connection.ts';

type Call<E extends Endpoint> = (
  connection: Connection,
  parameters: ParametersIn<E>,
  options?: CallOptions,
) => Promise<AnswerOut<E>>;

/* @__NO_SIDE_EFFECTS__ */
function calling<P extends Parameters, Answer extends Endpoint['answer']>(
  endpoint: Endpoint<P, Answer>,
): Call<Endpoint<P, Answer>> {
  return (connection, parameters, options) => connection.call(endpoint, parameters, options);
}

export const fetchApiKey = calling(endpoints.fetchApiKey);
export const getServerSettings = calling(endpoints.getServerSettings);

export const registerQueue = calling(endpoints.registerQueue);
export const getEvents = calling(endpoints.getEvents);
export const deleteQueue = calling(endpoints.deleteQueue);

export const getUsers = calling(endpoints.getUsers);
export const getUser = calling(endpoints.getUser);
export const getOwnUser = calling(endpoints.getOwnUser);
export const createUser = calling(endpoints.createUser);
export const updateUser = calling(endpoints.updateUser);
export const deactivateUser = calling(endpoints.deactivateUser);
export const reactivateUser = calling(endpoints.reactivateUser);
export const updateSettings = calling(endpoints.updateSettings);
export const countEmojiUse = calling(endpoints.countEmojiUse);
export const regenerateApiKey = calling(endpoints.regenerateApiKey);
export const getPointer = calling(endpoints.getPointer);
export const updatePointer = calling(endpoints.updatePointer);
export const putPointer = calling(endpoints.putPointer);
export const getAlertWords = calling(endpoints.getAlertWords);
export const addAlertWords = calling(endpoints.addAlertWords);
export const removeAlertWords = calling(endpoints.removeAlertWords);

export const getSubscriptions = calling(endpoints.getSubscriptions);
export const subscribe = calling(endpoints.subscribe);
export const unsubscribe = calling(endpoints.unsubscribe);
export const updateSubscriptions = calling(endpoints.updateSubscriptions);
export const updateSubscriptionProperties = calling(endpoints.updateSubscriptionProperties);
export const updateSubscriptionProperty = calling(endpoints.updateSubscriptionProperty);

export const getStreams = calling(endpoints.getStreams);
export const getStream = calling(endpoints.getStream);
export const getStreamId = calling(endpoints.getStreamId);
export const getTopics = calling(endpoints.getTopics);
export const updateStream = calling(endpoints.updateStream);
export const deleteStream = calling(endpoints.deleteStream);

export const getMessages = calling(endpoints.getMessages);
export const sendMessage = calling(endpoints.sendMessage);
export const getMessage = calling(endpoints.getMessage);
export const editMessage = calling(endpoints.editMessage);
export const deleteMessage = calling(endpoints.deleteMessage);
export const getMessageHistory = calling(endpoints.getMessageHistory);
export const getReadReceipts = calling(endpoints.getReadReceipts);
export const countReadReceipts = calling(endpoints.countReadReceipts);
export const renderMessage = calling(endpoints.renderMessage);
export const addReaction = calling(endpoints.addReaction);
export const removeReaction = calling(endpoints.removeReaction);
export const updateMessageFlags = calling(endpoints.updateMessageFlags);
export const setTypingStatus = calling(endpoints.setTypingStatus);

export const updatePresence = calling(endpoints.updatePresence);
export const getRealmPresence = calling(endpoints.getRealmPresence);
export const getUserPresence = calling(endpoints.getUserPresence);
export const updateStatus = calling(endpoints.updateStatus);
export const getUserStatus = calling(endpoints.getUserStatus);

export const updateRealm = calling(endpoints.updateRealm);
export const getRealmEmoji = calling(endpoints.getRealmEmoji);
export const getLinkifiers = calling(endpoints.getLinkifiers);
export const getRealmFilters = calling(endpoints.getRealmFilters);
