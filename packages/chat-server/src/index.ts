export { type ChatServer, type ChatServerOptions, createChatServer } from './chatServer.ts';
export type { Bindings } from './conversations/bindings.ts';
export { type Clock, systemClock } from './clock.ts';
export type { ChatAnswer, ChatFetch, ChatRequest } from './http/exchange.ts';
export type { RateLimit, RateLimits } from './http/rateLimits.ts';
export type { Groups } from './users/groups.ts';
export { type ImportedOrganisation, NotEmptyError, type Organisation } from './realm/organisation.ts';
