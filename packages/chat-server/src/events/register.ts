import {
  type AnswerIn,
  type NarrowTerm,
  type ParametersOut,
  type registerQueue,
  longPollTimeoutSeconds,
  maxMessageLength,
  maxStreamDescriptionLength,
  maxStreamNameLength,
  maxTopicLength,
  roles,
  zulipFeatureLevel,
  zulipVersion,
} from '@engawa/protocol';
import { streamsOf, subscriptionsOf } from '../conversations/view.ts';
import { mayRead } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../http/errors.ts';
import { newestReceivedId } from '../messages/fetch.ts';
import { messageFlags } from '../reading/store.ts';
import { unreadMessages } from '../reading/unread.ts';
import { realms } from '../realm/store.ts';
import type { Member } from '../users/member.ts';
import { users } from '../users/store.ts';
import { listedUserView } from '../users/view.ts';

type Asked = ParametersOut<typeof registerQueue>;
type Snapshot = Omit<AnswerIn<typeof registerQueue>, 'queue_id' | 'last_event_id'>;

/** Most starred messages that register lists. */
const mostStarred = 10_000;

const queueOperators = new Set(['stream', 'topic', 'sender']);

/** The narrow of a queue; only some operators can be told from a message alone. */
export function queueNarrow(terms: readonly NarrowTerm[]) {
  return terms.map(({ operator, operand, negated }) => {
    if (negated) throw refused.because(`Operator -${operator} not supported.`);
    if (!queueOperators.has(operator)) throw refused.because(`Operator ${operator} not supported.`);
    return { operator, operand: String(operand) };
  });
}

/** The state that a client begins with: what it asked for by `fetch_event_types`, else by `event_types`, else all. */
export function snapshotOf(reader: Reader, member: Member, asked: Asked): Snapshot {
  const wanted = asked.fetch_event_types ?? asked.event_types;
  const wants = (type: string): boolean => wanted === undefined || wanted.includes(type);
  return {
    zulip_version: zulipVersion,
    zulip_feature_level: zulipFeatureLevel,
    zulip_merge_base: zulipVersion,
    event_queue_longpoll_timeout_seconds: longPollTimeoutSeconds,
    ...(wants('message') ? { max_message_id: newestReceivedId(reader, member.id) } : {}),
    ...(wants('message') && wants('update_message_flags') ? { unread_msgs: unreadMessages(reader, member.id) } : {}),
    ...(wants('starred_messages') ? { starred_messages: starred(reader, member) } : {}),
    ...(wants('subscription') ? subscriptions(reader, member, asked) : {}),
    ...(wants('stream') ? { streams: streamsOf(reader, member.id) } : {}),
    ...(wants('realm_user') ? people(reader, member) : {}),
    ...(wants('realm') ? realm(reader) : {}),
  };
}

function starred(reader: Reader, member: Member): number[] {
  return messageFlags
    .starred(reader, member.id, mostStarred)
    .filter((message) => mayRead(reader, member.id, message))
    .map(({ id }) => id)
    .toReversed();
}

function subscriptions(reader: Reader, member: Member, { include_subscribers }: Asked): Partial<Snapshot> {
  return {
    subscriptions: subscriptionsOf(reader, member.id, include_subscribers),
    unsubscribed: [],
    never_subscribed: [],
  };
}

function people(reader: Reader, member: Member): Partial<Snapshot> {
  const all = users.all(reader);
  const self = all.find((user) => user.id === member.id);
  return {
    realm_users: all.filter((user) => user.is_active).map(listedUserView),
    realm_non_active_users: all.filter((user) => !user.is_active).map(listedUserView),
    cross_realm_bots: [],
    user_id: member.id,
    email: member.email,
    ...(self ? { full_name: self.full_name, avatar_url: self.avatar_url } : {}),
    is_admin: member.role <= roles.administrator,
    is_owner: member.role === roles.owner,
    is_moderator: member.role <= roles.moderator,
    is_guest: member.role === roles.guest,
  };
}

function realm(reader: Reader): Partial<Snapshot> {
  return {
    realm_name: realms.get(reader)?.name ?? '',
    max_message_length: maxMessageLength,
    max_topic_length: maxTopicLength,
    max_stream_name_length: maxStreamNameLength,
    max_stream_description_length: maxStreamDescriptionLength,
  };
}
