import { type CallConversation, type MessageCall, addressDirect, busyEmoji, defaultTopic } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { isMember, visibleStream } from '../conversations/access.ts';
import { memberships } from '../conversations/memberships.ts';
import { conversations } from '../conversations/store.ts';
import { streams } from '../conversations/streams.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EphemeralEvents } from '../events/ephemeral.ts';
import { destinationOf, send } from '../messages/send.ts';
import type { WriteDependencies } from '../messages/dependencies.ts';
import { activeViewer, seenAmong } from '../privacy/seenUsers.ts';
import { statuses } from '../status/store.ts';

/** @returns those of the given users whom the viewer sees. */
type SeenAmong = (userIds: readonly number[]) => ReadonlySet<number>;

/** The parts of conversations that the embedding program needs for calls. The program carries media and signals itself. */
export interface Calls {
  /**
   * Sends the message that announces a call, with the rights and refusals of POST /messages. @param conversation a stream, or all
   * participants, ascending. @returns its id. @throws ChatError
   */
  announce(callerId: number, conversation: CallConversation, call: MessageCall, content: string): Promise<number>;
  /** Whether an active user may read and write in the conversation now. A direct conversation begins with its first message. */
  mayJoin(userId: number, conversation: CallConversation): boolean;
  /** Whether an active user is in the conversation, and not only allowed to join it. */
  isIn(userId: number, conversation: CallConversation): boolean;
  /** The first active members, ascending. */
  members(conversation: CallConversation, most: number): readonly number[];
  /** Whether the user is neither busy nor has muted the conversation. */
  mayBeRung(userId: number, conversation: CallConversation): boolean;
  seenBy(viewerId: number): SeenAmong;
  /** Publishes the state of a call to the members of the conversation. A newer state replaces one that is still stored. */
  publish(conversation: CallConversation, stateFor: (viewerId: number, sees: SeenAmong) => object): void;
}

export interface CallDependencies extends WriteDependencies {
  readonly database: Database;
  readonly ephemeral: EphemeralEvents;
  readonly clock: Clock;
}

/** The `client` of a message that announces a call. */
const client = 'Internal';

export function createCalls({ database, ephemeral, clock, ...dependencies }: CallDependencies): Calls {
  const { reader } = database;
  return {
    announce: (callerId, conversation, call, content) =>
      database.write((tx) => {
        const caller = activeViewer(tx, callerId);
        if (!caller) throw refused.deactivated();
        const address =
          typeof conversation === 'number'
            ? { type: 'stream', to: String(conversation), topic: defaultTopic }
            : { type: 'direct', to: addressDirect(conversation), topic: '' };
        const destination = destinationOf(tx, dependencies, caller, address);
        return send(tx, dependencies, caller, destination, { content, call, read_by_sender: true }, client, seconds(clock));
      }),
    mayJoin(userId, conversation) {
      const viewer = activeViewer(reader, userId);
      if (!viewer) return false;
      if (typeof conversation === 'number') return visibleStream(reader, viewer, conversation) !== undefined;
      const id = conversations.directOf(reader, conversation);
      return id !== undefined && isMember(reader, id, userId);
    },
    isIn(userId, conversation) {
      const id = idOf(reader, conversation);
      return id !== undefined && activeViewer(reader, userId) !== undefined && isMember(reader, id, userId);
    },
    members(conversation, most) {
      const id = idOf(reader, conversation);
      return id === undefined ? [] : memberships.people(reader, id, most);
    },
    mayBeRung(userId, conversation) {
      const id = idOf(reader, conversation);
      const membership = id === undefined ? undefined : memberships.current(reader, id, userId);
      const { emoji_code: emoji } = statuses.of(reader, userId) ?? {};
      return membership?.is_muted === 0 && emoji !== busyEmoji.emoji_code;
    },
    seenBy: (viewerId) => (userIds) => {
      const viewer = activeViewer(reader, viewerId);
      return viewer ? seenAmong(reader, viewer, userIds) : new Set();
    },
    publish(conversation, stateFor) {
      const id = idOf(reader, conversation);
      if (id === undefined) return;
      ephemeral.publish({
        type: 'call',
        key: `call in ${id}`,
        userIds: new Set(memberships.subscribers(reader, id)),
        receives: (now, { member }) => isMember(now, id, member.id),
        texts: (now, { member }) => {
          const call = stateFor(member.id, (userIds) => seenAmong(now, member, userIds));
          return [JSON.stringify({ type: 'call', call })];
        },
      });
    },
  };
}

/** @returns undefined for an archived or missing stream, and for a direct conversation without a message. */
function idOf(reader: Reader, conversation: CallConversation): number | undefined {
  if (typeof conversation !== 'number') return conversations.directOf(reader, conversation);
  return streams.byId(reader, conversation)?.is_archived === 0 ? conversation : undefined;
}
