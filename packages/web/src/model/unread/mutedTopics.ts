/**
 * Topics that the member has muted in a client that shows topics. Our screens show none, and neither count nor announce their
 * messages.
 */
import { topicKey, visibilityPolicies, type Message, type UnreadMessages, type UserTopic } from '@engawa/protocol';

export interface MutedTopics {
  /** Keys of `topicIn`. */
  readonly topics: ReadonlySet<string>;
  /** Ids of unread messages in these topics. */
  readonly unread: ReadonlySet<number>;
}

export const noneMuted: MutedTopics = { topics: new Set(), unread: new Set() };

const topicIn = (streamId: number, topic: string): string => `${streamId} ${topicKey(topic)}`;

type Choice = Pick<UserTopic, 'stream_id' | 'topic_name' | 'visibility_policy'>;
const isMuting = ({ visibility_policy: policy }: Choice): boolean => policy === visibilityPolicies.muted;
const keyOf = ({ stream_id, topic_name }: Choice): string => topicIn(stream_id, topic_name);

export function mutedFrom(choices: readonly Choice[], streams: UnreadMessages['streams']): MutedTopics {
  const topics = new Set(choices.filter(isMuting).map(keyOf));
  const muted = streams.filter(({ stream_id, topic }) => topics.has(topicIn(stream_id, topic)));
  return { topics, unread: new Set(muted.flatMap(({ unread_message_ids }) => unread_message_ids)) };
}

export const isInMuted = ({ topics }: MutedTopics, { stream_id, subject }: Pick<Message, 'stream_id' | 'subject'>): boolean =>
  topics.size > 0 && stream_id !== undefined && topics.has(topicIn(stream_id, subject));

export const withMuted = (muted: MutedTopics, ids: readonly number[]): MutedTopics =>
  ids.length === 0 ? muted : { ...muted, unread: muted.unread.union(new Set(ids)) };

export const withoutMuted = (muted: MutedTopics, ids: Iterable<number>): MutedTopics =>
  muted.unread.size === 0 ? muted : { ...muted, unread: muted.unread.difference(new Set(ids)) };

/** The messages that were unread before are loaded by `loadTopic`. */
export function topicChosen({ topics, unread }: MutedTopics, choice: Choice): MutedTopics {
  const key = new Set([keyOf(choice)]);
  return { topics: isMuting(choice) ? topics.union(key) : topics.difference(key), unread };
}

export function topicLoaded(muted: MutedTopics, choice: Choice, ids: readonly number[]): MutedTopics {
  return muted.topics.has(keyOf(choice)) ? withMuted(muted, ids) : withoutMuted(muted, ids);
}
