/**
 * One function per call of the chat API. The endpoints in `@engawa/protocol` document parameters and answers. The files are
 * those of the endpoints, so that a program loads only those that it calls.
 */
export * from './calls/authentication.ts';
export * from './calls/deleteQueue.ts';
export * from './calls/registerQueue.ts';
export * from './calls/getEvents.ts';
export * from './calls/users.ts';
export * from './calls/bots.ts';
export * from './calls/alertWords.ts';
export * from './calls/botStorage.ts';
export * from './calls/drafts.ts';
export * from './calls/subscriptions.ts';
export * from './calls/subscribing.ts';
export * from './calls/subscriptionProperties.ts';
export * from './calls/streams.ts';
export * from './calls/messages.ts';
export * from './calls/oneMessage.ts';
export * from './calls/reactions.ts';
export * from './calls/readReceipts.ts';
export * from './calls/typing.ts';
export * from './calls/userGroups.ts';
export * from './calls/presence.ts';
export * from './calls/scheduledMessages.ts';
export * from './calls/status.ts';
export * from './calls/realm.ts';
