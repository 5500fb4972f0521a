import { ApiError, type Connection, getStreams, getSubscriptions, getUser, sendMessage } from '@engawa/client';
import { type CallConversation, addressDirect, defaultTopic, endpoint } from '@engawa/protocol';
import { callLimits } from '@engawa/protocol/calls';
import { z } from 'zod';
import type { Live } from '../../live/live.ts';
import type { Asker, Conversations } from '../backend.ts';
import type { ConnectAs } from '../connections.ts';
import { Facts } from '../facts.ts';

/** https://zulip.com/api/get-subscribers: the active ones, bots too. No client of ours calls it. */
const getSubscribers = endpoint('GET', '/streams/{stream_id}/members', {
  answer: z.object({ subscribers: z.array(z.int()) }),
});

/** Milliseconds. A member who loses a stream loses its call after at most so long. */
const accessLife = 60_000;
/** Milliseconds. Bots stay bots, and a deactivated member cannot answer anyway. */
const peopleLife = 10 * 60_000;
/** Of a larger conversation, bots and deactivated members are not told apart, because each takes a call. */
const mostLookedUp = 2 * callLimits.ringMembers;

interface ConversationDependencies {
  readonly connectAs: ConnectAs;
  readonly live: Pick<Live, 'publishEach'>;
  readonly now: () => number;
}

/** Asks Zulip about conversations for calls, with the keys of the members who make the requests. */
export function conversationsAtZulip({ connectAs, live, now }: ConversationDependencies): Conversations {
  /** By user: the ids of streams. Of those that only their subscribers may read, `subscribed` alone has them. */
  const subscribed = new Facts<number, ReadonlySet<number>>({ now, life: accessLife });
  const readable = new Facts<number, ReadonlySet<number>>({ now, life: accessLife });
  /** By stream, ascending. */
  const subscribers = new Facts<number, readonly number[]>({ now, life: accessLife });
  /** By user: whether they are an active person. */
  const people = new Facts<number, boolean>({ now, life: peopleLife });

  function isIn(userId: number, conversation: CallConversation): boolean {
    if (typeof conversation !== 'number') return conversation.includes(userId);
    const own = subscribed.get(userId);
    const others = subscribers.get(conversation);
    const isOwnNewer = own && own.since >= (others?.since ?? 0);
    return isOwnNewer ? own.fact.has(conversation) : (others?.fact.includes(userId) ?? false);
  }

  function mayJoin(userId: number, conversation: CallConversation): boolean {
    if (isIn(userId, conversation)) return true;
    return typeof conversation === 'number' && readable.get(userId)?.fact.has(conversation) === true;
  }

  const everybodyIn = (conversation: CallConversation): readonly number[] =>
    typeof conversation === 'number' ? (subscribers.get(conversation)?.fact ?? []) : conversation;

  return {
    async ask({ id, authorization }: Asker, conversation) {
      // The participants of a direct conversation never change.
      if (conversation !== undefined && typeof conversation !== 'number') return;
      const connection = connectAs(authorization);
      await subscribed.ask(id, () => subscribedStreams(connection));
      if (conversation === undefined) return;
      if (!isIn(id, conversation)) await readable.ask(id, () => publicStreams(connection));
      if (mayJoin(id, conversation)) await subscribers.ask(conversation, () => subscribersOf(connection, conversation));
    },
    async askWhoCanAnswer({ authorization }: Asker, conversation) {
      const userIds = everybodyIn(conversation);
      if (userIds.length > mostLookedUp) return;
      const connection = connectAs(authorization);
      await Promise.all(userIds.map((userId) => people.ask(userId, () => isActivePerson(connection, userId))));
    },
    marksMessages: false,
    async announce({ authorization }, conversation, _call, content) {
      const address =
        typeof conversation === 'number'
          ? { type: 'stream', to: String(conversation), topic: defaultTopic }
          : { type: 'direct', to: addressDirect(conversation) };
      return (await sendMessage(connectAs(authorization), { ...address, content })).id;
    },
    isIn,
    mayJoin,
    members: (conversation, most) =>
      everybodyIn(conversation)
        .filter((userId) => people.get(userId)?.fact !== false)
        .slice(0, most),
    // The client of the member knows whether they are busy or have muted the conversation, and then does not ring.
    mayBeRung: () => true,
    // At Zulip all members see each other.
    seenBy: () => seesAll,
    publish(conversation, stateFor) {
      live.publishEach(everybodyIn(conversation), (userId) => ({ type: 'call', call: stateFor(userId, seesAll) }));
    },
  };
}

const seesAll = (userIds: readonly number[]): ReadonlySet<number> => new Set(userIds);

async function subscribedStreams(connection: Connection): Promise<ReadonlySet<number>> {
  const { subscriptions } = await getSubscriptions(connection, {});
  return new Set(subscriptions.map(({ stream_id }) => stream_id));
}

async function publicStreams(connection: Connection): Promise<ReadonlySet<number>> {
  const { streams } = await getStreams(connection, {});
  return new Set(streams.filter(({ invite_only }) => !invite_only).map(({ stream_id }) => stream_id));
}

async function subscribersOf(connection: Connection, stream_id: number): Promise<readonly number[]> {
  const { subscribers } = await connection.call(getSubscribers, { stream_id });
  return subscribers.toSorted((one, other) => one - other);
}

async function isActivePerson(connection: Connection, user_id: number): Promise<boolean> {
  try {
    const { user } = await getUser(connection, { user_id });
    return user.is_active !== false && !user.is_bot;
  } catch (error) {
    // There is no such user. The announcement of the call is then refused.
    if (error instanceof ApiError && error.code === 'BAD_REQUEST') return false;
    throw error;
  }
}
