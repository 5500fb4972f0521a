import type { Reaction, ReadReceiptsShown, Role, WritableFlag } from '@engawa/protocol';

export interface User {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  role: Role;
  isActive: boolean;
  alertWords: readonly string[];
  sendsReceipts: boolean;
}

/** A group that a user made. Groups of roles follow from the users. */
export interface Group {
  readonly id: number;
  readonly creator: number;
  /** User ids, including inactive users. */
  readonly members: Set<number>;
}

export interface Stream {
  readonly kind: 'stream';
  readonly id: number;
  readonly name: string;
  readonly isPublic: boolean;
  readonly creator: number;
  /** Whether new subscribers can read earlier messages. */
  readonly isShared: boolean;
  /** User ids, including inactive users. */
  readonly subscribers: Set<number>;
  readonly everSubscribed: Set<number>;
  /** Subscribers who have set `put_away`. */
  readonly putAwayBy: Set<number>;
  isArchived: boolean;
}

export interface Direct {
  readonly kind: 'direct';
  readonly participants: readonly number[];
}

export type Place = Stream | Direct;

export interface Copy {
  /** Whether the message was sent to the user. A message that the user can read but was not sent is historical. */
  readonly received: boolean;
  readonly marks: Set<WritableFlag | 'mentioned' | 'has_alert_word'>;
}

export interface Message {
  readonly id: number;
  readonly place: Place;
  readonly sender: number;
  readonly timestamp: number;
  /** The server wrote it about the sender's change of the stream. */
  readonly isNotice: boolean;
  topic: string;
  content: string;
  isDeleted: boolean;
  editedAt: number | undefined;
  movedAt: number | undefined;
  /** Newest first. */
  edits: readonly Edit[];
  reactions: readonly Reaction[];
  /** The copy of each user, by user id. */
  readonly copies: ReadonlyMap<number, Copy>;
  /** The sender's queue and the id that the sender gave the message (`local_id`). Only the event of that queue repeats it. */
  readonly local: { readonly queueId: string; readonly localId: string } | undefined;
}

export interface Edit {
  readonly by: number;
  readonly at: number;
  readonly contentBefore: string | undefined;
  readonly topic: { readonly before: string; readonly after: string } | undefined;
}

export interface MessageUpdate extends Edit {
  /** The message that the edit names. An edit can move other messages but changes only this one's content. */
  readonly message: Message;
  readonly mode: 'change_one' | 'change_later' | 'change_all';
  /** Ascending, including the named message. */
  readonly messages: readonly Message[];
}

/** A message at the time its flags changed. */
export interface FlaggedMessage {
  readonly id: number;
  readonly place: Place;
  readonly topic: string;
  readonly isMention: boolean;
}

export type ModelEvent =
  /** `isWide`: delivered only on queues with `all_public_streams`. */
  | { readonly type: 'message'; readonly message: Message; readonly isWide: boolean }
  | { readonly type: 'update_message'; readonly update: MessageUpdate }
  | { readonly type: 'delete_message'; readonly message: Message; readonly topic: string }
  | { readonly type: 'reaction'; readonly op: 'add' | 'remove'; readonly message: Message; readonly reaction: Reaction }
  | {
      readonly type: 'update_message_flags';
      readonly op: 'add' | 'remove';
      readonly flag: WritableFlag;
      readonly messages: readonly FlaggedMessage[];
    }
  | { readonly type: 'subscription'; readonly op: 'add' | 'remove'; readonly stream: Stream }
  | { readonly type: 'subscription'; readonly op: 'update'; readonly stream: Stream; readonly isPutAway: boolean }
  | {
      readonly type: 'subscription';
      readonly op: 'peer_add' | 'peer_remove';
      readonly stream: Stream;
      readonly users: readonly number[];
    }
  | { readonly type: 'stream'; readonly op: 'create' | 'delete'; readonly stream: Stream }
  | { readonly type: 'stream'; readonly op: 'update'; readonly stream: Stream; readonly firstMessage: number | null }
  | { readonly type: 'realm_user'; readonly op: 'add' | 'remove'; readonly user: number }
  | {
      readonly type: 'realm_user';
      readonly op: 'update';
      readonly user: number;
      readonly change: Partial<Pick<User, 'role' | 'isActive'>>;
    }
  | { readonly type: 'user_group'; readonly op: 'add'; readonly group: Group }
  | {
      readonly type: 'user_group';
      readonly op: 'add_members' | 'remove_members';
      /** The id of a group of a role, or a group that a user made. */
      readonly group: number | Group;
      readonly user: number;
    }
  | { readonly type: 'alert_words'; readonly words: readonly string[] }
  | { readonly type: 'user_settings'; readonly sendsReceipts: boolean }
  | { readonly type: 'realm'; readonly receiptAudience: ReadReceiptsShown };

/** Seconds after sending during which a message may be changed. */
export interface EditLimits {
  readonly content: number;
  readonly deletion: number;
  readonly topic: number;
}

/**
 * A chat in the simplest form: every message has one row for each user. It is slow and large, and it predicts the
 * answers of the chat server. The other files of this folder implement its rules. A function that refuses a change
 * returns the error message and changes nothing.
 */
export class Model {
  /** Unix seconds. */
  now: number;
  readonly limits: EditLimits;
  receiptAudience: ReadReceiptsShown = 'own';
  readonly users: ReadonlyMap<number, User>;
  readonly streams = new Map<number, Stream>();
  readonly groups = new Map<number, Group>();
  /** Keys are the ids of the participants, joined by commas. */
  readonly directs = new Map<string, Direct>();
  readonly messages = new Map<number, Message>();
  readonly #events = new Map<number, ModelEvent[]>();

  constructor(users: readonly User[], limits: EditLimits, now: number) {
    this.users = new Map(users.map((user) => [user.id, user]));
    this.limits = limits;
    this.now = now;
  }

  user(id: number): User {
    return found(this.users, id);
  }

  get activeUsers(): User[] {
    return [...this.users.values()].filter(({ isActive }) => isActive);
  }

  get openStreams(): Stream[] {
    return [...this.streams.values()].filter(({ isArchived }) => !isArchived);
  }

  openStream(name: string): Stream | undefined {
    return this.openStreams.find((stream) => stream.name === name);
  }

  /** Inactive users have no queues. */
  publish(users: Iterable<number>, event: ModelEvent): void {
    for (const id of new Set(users)) if (this.user(id).isActive) this.#eventsOf(id).push(event);
  }

  /** All events for a user since the beginning. */
  eventsFor(id: number): readonly ModelEvent[] {
    return this.#eventsOf(id);
  }

  #eventsOf(id: number): ModelEvent[] {
    const events = this.#events.get(id) ?? [];
    this.#events.set(id, events);
    return events;
  }
}

export const ascending = (ids: Iterable<number>): number[] => [...ids].toSorted((one, other) => one - other);

export function found<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = values.get(key);
  if (value === undefined) throw new TypeError(`the model has no ${String(key)}`);
  return value;
}
