import { markAllAsRead, markStreamAsRead, markTopicAsRead, maxUnreadListed, topicKey } from '@engawa/protocol';
import { readable, visibleStreamOf } from '../conversations/access.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';
import { topics } from '../conversations/topics.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type MemberCall, type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import type { Member } from '../identity/member.ts';
import { StepClock, type Steps, slicesOf } from '../turns.ts';
import { changeFlag } from './flags.ts';
import { allUnreadIds, unreadIdsInSteps } from './unread.ts';

export function markReadRoutes(database: Database, log: EventLog): Route[] {
  const find = <Result>(
    { member, takeTurns }: MemberCall,
    look: (reader: Reader, member: Member, clock: StepClock) => Steps<Result>,
  ) => takeTurns(() => database.longSnapshot((reader) => look(reader, memberNow(reader, member), new StepClock())));
  /** A call marks at most `maxUnreadListed`. */
  const mark = (messages: readonly number[], { member }: MemberCall) =>
    changeFlag(database, log, member, { op: 'add', flag: 'read', messages });
  return [
    memberRoute(markAllAsRead, async (_, call) => {
      const { ids, incomplete } = await find(call, (reader, { id }, clock) => allUnreadIds(reader, id, clock));
      await mark(ids, call);
      return { complete: !incomplete };
    }),

    memberRoute(markStreamAsRead, async ({ stream_id }, call) => {
      await mark(await find(call, (reader, member, clock) => unreadInStream(reader, member, stream_id, clock)), call);
    }),

    memberRoute(markTopicAsRead, async ({ stream_id, topic_name }, call) => {
      await mark(await find(call, (reader, member, clock) => unreadInTopic(reader, member, stream_id, topic_name, clock)), call);
    }),
  ];
}

function* unreadInStream(reader: Reader, member: Member, streamId: number, clock: StepClock): Steps<number[]> {
  visibleStreamOf(reader, member, streamId);
  return yield* unreadIdsInSteps(reader, member.id, streamId, maxUnreadListed, clock);
}

function* unreadInTopic(reader: Reader, member: Member, streamId: number, topic: string, clock: StepClock): Steps<number[]> {
  const unread = yield* unreadInStream(reader, member, streamId, clock);
  const key = topicKey(topic.trim());
  if (!topics.has(reader, streamId, key, readable(reader, member, streamId))) throw refused.because(`No such topic '${topic}'`);
  const found: number[] = [];
  for (const some of slicesOf(unread)) {
    const groups = messageHeaders.byTopic(reader, streamId, some);
    found.push(...groups.filter((group) => topicKey(group.topic) === key).flatMap(({ ids }) => ids));
    yield* clock.pause();
  }
  return found;
}
