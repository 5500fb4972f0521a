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

export interface Stream {
  readonly kind: 'stream';
  readonly id: number;
  readonly name: string;
  readonly isPublic: boolean;
  readonly creator: number;
  /** Whether those who come read what was said before. */
  readonly isShared: boolean;
  /** By id, also those who are not active. */
  readonly subscribers: Set<number>;
  /** Everybody who ever was among them. */
  readonly everSubscribed: Set<number>;
  /** Those of the subscribers who have put it away. */
  readonly away: Set<number>;
  isArchived: boolean;
}

export interface Direct {
  readonly kind: 'direct';
  /** Ascending. */
  readonly participants: readonly number[];
}

export type Place = Stream | Direct;

/** A member's own row of a message. */
export interface Copy {
  /** Whether it was sent to them. What was not is history, where they may read it. */
  readonly received: boolean;
  readonly marks: Set<WritableFlag | 'mentioned' | 'has_alert_word'>;
}

export interface Message {
  readonly id: number;
  readonly place: Place;
  readonly sender: number;
  readonly timestamp: number;
  topic: string;
  content: string;
  isDeleted: boolean;
  editedAt: number | undefined;
  movedAt: number | undefined;
  /** The newest first. */
  edits: readonly Edit[];
  reactions: readonly Reaction[];
  /** One of each user, by id. */
  readonly copies: ReadonlyMap<number, Copy>;
  /** The sender's own mark and the queue that is to carry it. */
  readonly local: { readonly queueId: string; readonly localId: string } | undefined;
}

/** What one edit changed of one message. */
export interface Edit {
  readonly by: number;
  readonly at: number;
  readonly contentBefore: string | undefined;
  readonly topic: { readonly before: string; readonly after: string } | undefined;
}

/** One edit of several messages. */
export interface Correction extends Edit {
  /** The one that was named. Its content changed, if any. */
  readonly message: Message;
  readonly mode: 'change_one' | 'change_later' | 'change_all';
  /** With it, ascending. */
  readonly messages: readonly Message[];
}

/** Where a message stood when it was marked, and whether it called the member. */
export interface Marked {
  readonly id: number;
  readonly place: Place;
  readonly topic: string;
  readonly isMention: boolean;
}

/** What a member is told of a change. */
export type Telling =
  /** `isWide`: only on queues that hear of all public streams. */
  | { readonly type: 'message'; readonly message: Message; readonly isWide: boolean }
  | { readonly type: 'update_message'; readonly correction: Correction }
  | { readonly type: 'delete_message'; readonly message: Message; readonly topic: string }
  | { readonly type: 'reaction'; readonly op: 'add' | 'remove'; readonly message: Message; readonly reaction: Reaction }
  | {
      readonly type: 'update_message_flags';
      readonly op: 'add' | 'remove';
      readonly flag: WritableFlag;
      readonly messages: readonly Marked[];
    }
  | { readonly type: 'subscription'; readonly op: 'add' | 'remove'; readonly stream: Stream }
  | { readonly type: 'subscription'; readonly op: 'update'; readonly stream: Stream; readonly isAway: boolean }
  | {
      readonly type: 'subscription';
      readonly op: 'peer_add' | 'peer_remove';
      readonly stream: Stream;
      readonly users: readonly number[];
    }
  | { readonly type: 'stream'; readonly op: 'create' | 'delete'; readonly stream: Stream }
  | { readonly type: 'stream'; readonly op: 'update'; readonly stream: Stream; readonly firstMessage: number | null }
  | { readonly type: 'realm_user'; readonly user: number; readonly change: Partial<Pick<User, 'role' | 'isActive'>> }
  | { readonly type: 'alert_words'; readonly words: readonly string[] }
  | { readonly type: 'user_settings'; readonly sendsReceipts: boolean }
  | { readonly type: 'realm'; readonly receiptsShown: ReadReceiptsShown };

/** Seconds after its sending in which a message may be changed. */
export interface EditLimits {
  readonly content: number;
  readonly deletion: number;
  readonly topic: number;
}

/**
 * A chat as simply as it can be said: every message has a row for each user. It is slow and large, and says what the
 * chat server must show. The files beside this one change it by the rules. Where a rule forbids something, the function
 * answers with the words of the refusal and changes nothing.
 */
export class Model {
  /** Unix seconds. */
  now: number;
  readonly limits: EditLimits;
  /** Of which messages members see who has read them. */
  receiptsShown: ReadReceiptsShown = 'own';
  readonly users: ReadonlyMap<number, User>;
  readonly streams = new Map<number, Stream>();
  /** By the participants, joined. */
  readonly directs = new Map<string, Direct>();
  readonly messages = new Map<number, Message>();
  readonly #told = new Map<number, Telling[]>();

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

  /** Who is not active has no queue that hears. */
  tell(users: Iterable<number>, telling: Telling): void {
    for (const id of new Set(users)) if (this.user(id).isActive) this.#toldTo(id).push(telling);
  }

  /** Everything that a member was told since the beginning. */
  told(id: number): readonly Telling[] {
    return this.#toldTo(id);
  }

  #toldTo(id: number): Telling[] {
    const told = this.#told.get(id) ?? [];
    this.#told.set(id, told);
    return told;
  }
}

export const ascending = (ids: Iterable<number>): number[] => [...ids].toSorted((one, other) => one - other);

export function found<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = values.get(key);
  if (value === undefined) throw new TypeError(`the model has no ${String(key)}`);
  return value;
}
