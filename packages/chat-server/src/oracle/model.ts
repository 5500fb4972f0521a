import type { Organisation } from '../realm/organisation.ts';

export interface ModelMessage {
  readonly id: number;
  readonly stream: string;
  readonly sender: string;
  readonly topic: string;
  readonly content: string;
  /** The sender's own mark and the queue that is to carry it. */
  readonly local: { readonly queueId: string; readonly localId: string } | undefined;
}

/** What one member is told. */
export type ModelEvent =
  | { readonly type: 'message'; readonly id: number }
  | FlagsEvent
  | { readonly type: 'subscription'; readonly op: 'add' | 'peer_add'; readonly stream: string; readonly who: string };

interface FlagsEvent {
  readonly type: 'update_message_flags';
  readonly op: 'add' | 'remove';
  readonly flag: 'read' | 'starred';
  readonly ids: readonly number[];
}

interface Receipt {
  read: boolean;
}

interface ModelStream {
  readonly shared: boolean;
  readonly subscribers: Set<string>;
}

/**
 * A chat as simply as it can be said: every message has a row for each member who was there when it was sent.
 * It is slow and large, and says what the chat server must show.
 */
export class Model {
  readonly members: readonly string[];
  readonly messages = new Map<number, ModelMessage>();
  readonly #streams: ReadonlyMap<string, ModelStream>;
  readonly #receipts = new Map<string, Map<number, Receipt>>();
  readonly #starred = new Map<string, Set<number>>();
  readonly #told = new Map<string, ModelEvent[]>();

  constructor({ users, streams }: Organisation) {
    this.members = users.map(({ email }) => email);
    this.#streams = new Map(
      streams.map(({ name, history_public_to_subscribers: shared, subscribers }) => [
        name,
        { shared, subscribers: new Set(subscribers) },
      ]),
    );
    for (const member of this.members) {
      this.#receipts.set(member, new Map());
      this.#starred.set(member, new Set());
      this.#told.set(member, []);
    }
  }

  /** Names of the streams. */
  get streams(): readonly string[] {
    return [...this.#streams.keys()];
  }

  message(id: number): ModelMessage {
    const message = this.messages.get(id);
    if (!message) throw new TypeError(`the model has no message ${id}`);
    return message;
  }

  send(message: ModelMessage, readBySender: boolean): void {
    this.messages.set(message.id, message);
    for (const member of this.#stream(message.stream).subscribers) {
      of(this.#receipts, member).set(message.id, { read: readBySender && member === message.sender });
      of(this.#told, member).push({ type: 'message', id: message.id });
    }
  }

  /** @returns whether the call is taken. */
  mark(member: string, op: 'add' | 'remove', flag: 'read' | 'starred', asked: readonly number[]): boolean {
    const readable = this.readable(member);
    const ids = [...new Set(asked)].filter((id) => readable.includes(id));
    if (flag === 'starred' && ids.length < new Set(asked).size) return false;
    const changed = ids.filter((id) => (flag === 'read' ? this.#read(member, op, id) : this.#star(member, op, id)));
    of(this.#told, member).push({ type: 'update_message_flags', op, flag, ids: ascending(changed) });
    return true;
  }

  #read(member: string, op: 'add' | 'remove', id: number): boolean {
    const receipt = of(this.#receipts, member).get(id);
    if (!receipt || receipt.read === (op === 'add')) return false;
    receipt.read = op === 'add';
    return true;
  }

  #star(member: string, op: 'add' | 'remove', id: number): boolean {
    const starred = of(this.#starred, member);
    if (starred.has(id) === (op === 'add')) return false;
    if (op === 'add') starred.add(id);
    else starred.delete(id);
    return true;
  }

  join(member: string, stream: string): void {
    const { subscribers } = this.#stream(stream);
    if (subscribers.has(member)) return;
    const told = { type: 'subscription', stream, who: member } as const;
    of(this.#told, member).push({ ...told, op: 'add' });
    for (const other of subscribers) of(this.#told, other).push({ ...told, op: 'peer_add' });
    subscribers.add(member);
  }

  /** Everything that a member was told since the beginning. */
  told(member: string): readonly ModelEvent[] {
    return of(this.#told, member);
  }

  subscriptions(member: string): string[] {
    return [...this.#streams].flatMap(([name, { subscribers }]) => (subscribers.has(member) ? [name] : []));
  }

  subscribers(stream: string): string[] {
    return [...this.#stream(stream).subscribers];
  }

  firstMessage(stream: string): number | null {
    return this.#ids((each) => each.stream === stream)[0] ?? null;
  }

  /** The ids of all that a member may read, ascending. */
  readable(member: string): number[] {
    return this.#ids(({ id, stream }) => {
      const { shared, subscribers } = this.#stream(stream);
      return subscribers.has(member) && (shared || of(this.#receipts, member).has(id));
    });
  }

  /** The ids of what was sent to a member, ascending. */
  received(member: string): number[] {
    return ascending([...of(this.#receipts, member).keys()]);
  }

  unread(member: string): number[] {
    return ascending([...of(this.#receipts, member)].flatMap(([id, { read }]) => (read ? [] : [id])));
  }

  starred(member: string): number[] {
    return ascending([...of(this.#starred, member)]);
  }

  flags(member: string, id: number): string[] {
    const receipt = of(this.#receipts, member).get(id);
    return [
      ...(!receipt || receipt.read ? ['read'] : []),
      ...(of(this.#starred, member).has(id) ? ['starred'] : []),
      ...(receipt ? [] : ['historical']),
    ];
  }

  #ids(wanted: (message: ModelMessage) => boolean): number[] {
    return ascending([...this.messages.values()].flatMap((message) => (wanted(message) ? [message.id] : [])));
  }

  #stream(name: string): ModelStream {
    return of(this.#streams, name);
  }
}

export const ascending = (ids: readonly number[]): number[] => ids.toSorted((one, other) => one - other);

function of<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name);
  if (value === undefined) throw new TypeError(`the model has no ${name}`);
  return value;
}
