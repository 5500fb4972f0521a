export { type ChatServer, type ChatServerOptions, createChatServer } from './chatServer.ts';
export type { Bindings } from './conversations/bindings.ts';
export { cleanName as cleanStreamName } from './conversations/name.ts';
export { type Clock, systemClock } from './clock.ts';
export { ChatError, cannotKeep } from './http/errors.ts';
export type { ChatAnswer, ChatFetch, ChatRequest } from './http/exchange.ts';
export { CallCounts, networkOf, type RateLimit, type RateLimits } from './http/rateLimits.ts';
export type { Account, Accounts, ProgramKey } from './users/accounts.ts';
export { type PasswordCost, isWeakPassword, usualPasswordCost } from './users/password.ts';
export { cleanFullName } from './users/fullName.ts';
export { Turnstile } from './users/turnstile.ts';
export { isEmailAddress } from './users/email.ts';
export type { Groups } from './users/groups.ts';
export type { Founding } from './realm/found.ts';
export { beginEpoch, chatDatabaseVersion } from './realm/epoch.ts';
export { holdsOrganisation, newestTime } from './realm/inspect.ts';
export { type ImportedOrganisation, NotEmptyError, type Organisation } from './realm/organisation.ts';
export type { ChosenForAll } from './realm/chosen.ts';
export type { Known, KnownAsked, KnownPerson, KnownStream, ListedStream } from './reorganisation/known.ts';
export type {
  BoundStreamChange,
  NewPerson,
  Person,
  PersonChange,
  Reorganisation,
  Reorganised,
  Reorganiser,
} from './reorganisation/reorganisation.ts';
