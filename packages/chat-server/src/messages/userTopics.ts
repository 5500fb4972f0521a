import { type UserTopic, maxUserTopics, muteTopic, updateUserTopic, visibilityPolicies, topicKey } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { type Viewer, visibleStream, visibleStreamOf } from '../conversations/access.ts';
import type { StreamRow } from '../conversations/streams.ts';
import { type UserTopicRow, userTopics } from '../conversations/userTopics.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type EventSerializer, serializeAsLogged } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { cleanTopic } from './content.ts';

interface TopicChange {
  readonly streamId: number;
  readonly topic: string;
  readonly policy: number;
}

export function userTopicRoutes(database: Database, log: EventLog, clock: Clock): Route[] {
  return [
    memberRoute(updateUserTopic, ({ stream_id, topic, visibility_policy: policy }, { member }) =>
      database.write((tx) => {
        const viewer = memberNow(tx, member);
        const { conversation_id: streamId } = visibleStreamOf(tx, viewer, stream_id);
        change(tx, log, viewer, { streamId, topic: cleanTopic(topic), policy }, seconds(clock));
      }),
    ),

    memberRoute(muteTopic, ({ stream_id, stream, topic, op }, { member }) =>
      database.write((tx) => {
        const viewer = memberNow(tx, member);
        const { conversation_id: streamId } = streamNamed(tx, viewer, stream_id, stream);
        const policy = op === 'add' ? visibilityPolicies.muted : visibilityPolicies.none;
        change(tx, log, viewer, { streamId, topic: cleanTopic(topic), policy }, seconds(clock));
      }),
    ),
  ];
}

function streamNamed(reader: Reader, viewer: Viewer, id: number | undefined, name: string | undefined): StreamRow {
  if (id !== undefined && name !== undefined) throw refused.because("Please choose one: 'stream' or 'stream_id'.");
  if (id !== undefined) return visibleStreamOf(reader, viewer, id);
  if (name === undefined) throw refused.because("Please supply 'stream'.");
  const stream = visibleStream(reader, viewer, name);
  if (!stream) throw refused.because(`Invalid stream name '${name}'`);
  return stream;
}

/** A repeated choice publishes no event. */
function change(tx: Transaction, log: EventLog, { id }: Viewer, { streamId, topic, policy }: TopicChange, now: number): void {
  const key = topicKey(topic);
  const before = userTopics.one(tx, id, streamId, key);
  if ((before?.policy ?? visibilityPolicies.none) === policy) return;
  if (!before && userTopics.count(tx, id) >= maxUserTopics) {
    throw refused.because(`Too many topics with a setting (limit: ${maxUserTopics}).`);
  }
  const row: UserTopicRow = { user_id: id, stream_id: streamId, topic_key: key, topic, policy, updated: now };
  if (policy === visibilityPolicies.none) userTopics.remove(tx, id, streamId, key);
  else userTopics.put(tx, row);
  const toMember = { reach: 'self', reachId: id } as const;
  log.append(tx, { ...toMember, type: 'muted_topics', payload: {} });
  log.append(tx, { ...toMember, type: 'user_topic', payload: { ...userTopicView(row) } });
}

const userTopicView = ({ stream_id, topic, updated, policy }: UserTopicRow): UserTopic => ({
  stream_id,
  topic_name: topic,
  last_updated: updated,
  visibility_policy: policy,
});

/** Choices for streams that the member no longer sees are left out. They apply again when the member returns. */
function visibleTopics(reader: Reader, viewer: Viewer): { readonly row: UserTopicRow; readonly stream: StreamRow }[] {
  const known = new Map<number, StreamRow | undefined>();
  return userTopics.of(reader, viewer.id).flatMap((row) => {
    if (!known.has(row.stream_id)) known.set(row.stream_id, visibleStream(reader, viewer, row.stream_id));
    const stream = known.get(row.stream_id);
    return stream ? [{ row, stream }] : [];
  });
}

export const userTopicViews = (reader: Reader, viewer: Viewer): UserTopic[] =>
  visibleTopics(reader, viewer).map(({ row }) => userTopicView(row));

export const mutedTopicViews = (reader: Reader, viewer: Viewer): [stream: string, topic: string, since: number][] =>
  visibleTopics(reader, viewer)
    .filter(({ row }) => row.policy === visibilityPolicies.muted)
    .map(({ row, stream }) => [stream.name, row.topic, row.updated]);

/** All muted topics at the time of delivery. Queues that name `user_topic` receive that event instead. */
const serializeMutedTopics: EventSerializer = ({ type, id }, { member, options }, { reader }) => {
  if (options.event_types?.includes('user_topic')) return undefined;
  return JSON.stringify({ type, muted_topics: mutedTopicViews(reader, member), id });
};

export const userTopicEvents: readonly (readonly [string, EventSerializer])[] = [
  ['muted_topics', serializeMutedTopics],
  ['user_topic', serializeAsLogged],
];
