export { type ChatServer, type ChatServerOptions, createChatServer } from './chatServer.ts';
export type { Bindings } from './streams/bindings.ts';
export { cleanName as cleanStreamName } from './streams/name.ts';
export type { GuestSight } from './conversations/guestSight.ts';
export { type Clock, systemClock } from './clock.ts';
export { ChatError, storageError } from './errors.ts';
export type { ChatAnswer, ChatFetch, ChatRequest } from './http/exchange.ts';
export { CallCounts, networkOf, type RateLimit, type RateLimits } from './http/rateLimits.ts';
export type { Account, Accounts, ProgramKey } from './accounts/accounts.ts';
export { type PasswordCost, isWeakPassword, usualPasswordCost } from './accounts/password.ts';
export { cleanFullName } from './identity/fullName.ts';
export { Turnstile } from './accounts/turnstile.ts';
export type { PlannedName } from './identity/sameLook.ts';
export { isEmailAddress } from './identity/email.ts';
export type { Groups } from './identity/groups.ts';
export type { NewOrganisation } from './organisation/createOrganisation.ts';
export { beginEpoch, chatDatabaseVersion } from './organisation/epoch.ts';
export { holdsOrganisation, newestTime } from './organisation/inspect.ts';
export { type ImportedOrganisation, NotEmptyError, type Organisation } from './organisation/importOrganisation.ts';
export type { RealmSettings } from './organisation/realmSettings.ts';
export type { Overview, OverviewRequest, UserSummary, StreamSummary, ListedStream } from './organisation/overview.ts';
export type {
  BoundStreamChange,
  NewPerson,
  Person,
  PersonChange,
  Reorganisation,
  Reorganised,
  Reorganiser,
} from './organisation/reorganisation.ts';
