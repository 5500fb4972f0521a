export { type ChatServer, type ChatServerOptions, type Measures, createChatServer } from './chatServer.ts';
export type { Bindings } from './streams/bindings.ts';
export type { NextHooked } from './hooks/outgoing.ts';
export type { GuestSight } from './conversations/guestSight.ts';
export type { ChatAnswer, ChatFetch, ChatRequest, Waiter } from './http/exchange.ts';
export type { Account, Accounts, ProgramKey } from './accounts/accounts.ts';
export { type PasswordCost, usualPasswordCost } from './accounts/password.ts';
export type { PlannedName } from './identity/sameLook.ts';
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
