export { type ChatServer, type ChatServerOptions, createChatServer } from './chatServer.ts';
export { type Clock, systemClock } from './clock.ts';
export type { ChatAnswer, ChatFetch, ChatRequest } from './http/exchange.ts';
export { type ImportedOrganisation, NotEmptyError, type Organisation } from './realm/organisation.ts';
