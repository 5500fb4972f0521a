/** All that the model knows, as plain data. Every change makes a new state that shares what has not changed. */
import type { Cursor } from '@engawa/client';
import { typingMilliseconds } from '@engawa/protocol';
import type { FormerName, Message, ReadReceiptsShown, Subscription, User, UserSettings } from '@engawa/protocol';
import type { DepartmentNode, DirectoryEntry } from '@engawa/protocol/product';
import type { ConversationKey, DirectKey } from './timeline/conversation.ts';
import { noneFlagged, type Flagged } from './unread/flagged.ts';
import type { Outgoing } from './outbox/outbox.ts';
import type { Seen, Status } from './people/presence.ts';
import type { Limits } from './timeline/rights.ts';
import type { TimelineState } from './timeline/timeline.ts';
import type { Unread } from './unread/unread.ts';
import type { Connection, Failure, LostStream, MessageKey, SettingsChange } from './view.ts';

type TypingTimes = Readonly<Record<'resent' | 'idle' | 'expires', number>>;

export interface State {
  /** Undefined when nobody is signed in. */
  readonly memberId: number | undefined;
  readonly connection: Connection;
  /** Whether what the member came for has been shown, or could not be: from then on there is time for more. */
  readonly settled: boolean;
  /** The place in the event queue up to which this state is true; undefined before the first register. */
  readonly cursor: Cursor | undefined;
  readonly users: ReadonlyMap<number, User>;
  /** The newest last. */
  readonly formerNames: readonly FormerName[];
  /** Where the member says that they are; undefined until it is loaded. */
  readonly location: string | undefined;
  readonly profileFailure: Failure | undefined;
  /** By user id; of who is not there nobody knows when they were. */
  readonly presences: ReadonlyMap<number, Seen>;
  /** Up to where they are told; -1 where nobody has asked. */
  readonly presenceUpdate: number;
  /** Seconds: so often a tab says that its member is there, and who said nothing for so long is gone. */
  readonly presenceSeconds: { readonly ping: number; readonly offline: number };
  /** By user id, of those who say something; also what has ended since. */
  readonly statuses: ReadonlyMap<number, Status>;
  /** Unix seconds by the server's clock, as coarse as what depends on it: who is there, and what has ended. */
  readonly now: number;
  /** Seconds that the server's clock is ahead of ours. */
  readonly clockAhead: number;
  /** By stream id; undefined before the first register. */
  readonly subscriptions: ReadonlyMap<number, Subscription> | undefined;
  /** The stream that went last. */
  readonly lostStream: LostStream | undefined;
  readonly departments: readonly DepartmentNode[] | undefined;
  /** By user id; empty until it is loaded. */
  readonly directory: ReadonlyMap<number, DirectoryEntry>;
  readonly departmentsFailure: Failure | undefined;
  /** The member's direct conversations, each with the id of its newest message. */
  readonly directs: ReadonlyMap<DirectKey, number>;
  /** The newest message of each conversation: null where there is none, no entry where nobody has looked yet. */
  readonly newest: ReadonlyMap<ConversationKey, Message | null>;
  readonly unread: Unread;
  readonly flagged: Flagged;
  /** Message ids that the member has read and the server has not yet heard of: they no longer count. */
  readonly reading: ReadonlySet<number>;
  /** As the member wrote them. */
  readonly alertWords: readonly string[];
  /** The conversation that the member has made unread again, and has not left since. */
  readonly keptUnread: ConversationKey | undefined;
  /** Where the member is making messages unread again: each conversation as often as the server is being asked. */
  readonly unreading: readonly ConversationKey[];
  readonly limits: Limits;
  /** The highest message id ever seen: what is sent from now on gets a higher one. */
  readonly maxMessageId: number;
  /** As the server keeps them. */
  readonly settings: UserSettings;
  /** What the member has chosen since and the server has not yet answered, the oldest first. */
  readonly settingsAsked: readonly SettingsChange[];
  /** Who is writing, beside the member: user ids in the order in which they began. */
  readonly writers: ReadonlyMap<ConversationKey, readonly number[]>;
  /** Milliseconds in which it is told again that somebody writes, told that they no longer do, and no longer true. */
  readonly typingTimes: TypingTimes;
  /** Of which messages the organisation shows who has read them. */
  readonly receiptsShown: ReadReceiptsShown;
  /** How many have read a message, as far as the open conversation has shown it. */
  readonly readCounts: ReadonlyMap<number, number>;
  readonly current: ConversationKey | undefined;
  readonly timelines: ReadonlyMap<ConversationKey, TimelineState>;
  /** In the order in which they were sent. */
  readonly outbox: readonly Outgoing[];
  /** The local keys of the last messages that were sent from here, by message id: their rows are known by these. */
  readonly sentAs: ReadonlyMap<MessageKey, string>;
  /** The last files that this page has brought to the server, by stored name. What was pasted holds its bytes. */
  readonly ownFiles: ReadonlyMap<string, File>;
  /** Messages that were deleted since the page was opened, the newest of them. */
  readonly gone: ReadonlySet<number>;
}

export function initialState(memberId: number | undefined): State {
  return {
    memberId,
    connection: 'starting',
    settled: false,
    cursor: undefined,
    users: new Map(),
    formerNames: [],
    location: undefined,
    profileFailure: undefined,
    presences: new Map(),
    presenceUpdate: -1,
    presenceSeconds: { ping: 60, offline: 200 },
    statuses: new Map(),
    now: 0,
    clockAhead: 0,
    subscriptions: undefined,
    lostStream: undefined,
    departments: undefined,
    directory: new Map(),
    departmentsFailure: undefined,
    directs: new Map(),
    newest: new Map(),
    unread: new Map(),
    flagged: noneFlagged,
    reading: new Set(),
    alertWords: [],
    keptUnread: undefined,
    unreading: [],
    limits: { edit: null, delete: null },
    maxMessageId: 0,
    settings: {},
    settingsAsked: [],
    writers: new Map(),
    typingTimes: typingMilliseconds,
    receiptsShown: 'own',
    readCounts: new Map(),
    current: undefined,
    timelines: new Map(),
    outbox: [],
    sentAs: new Map(),
    ownFiles: new Map(),
    gone: new Set(),
  };
}

/** The map with one entry set, or without it when the value is undefined. */
export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> {
  const changed = new Map(map);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
  return changed;
}
