import { type ParametersOut, maxSubscribersForTyping, setTypingStatus, topicKey } from '@engawa/protocol';
import { z } from 'zod';
import { isMember, visibleStreamOf } from '../conversations/access.ts';
import { requireDirectConsent } from '../conversations/direct.ts';
import { memberships } from '../conversations/memberships.ts';
import { recipientsIn, valueIn } from '../conversations/recipients.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EphemeralEvent, EphemeralEvents } from '../events/ephemeral.ts';
import { type Route, memberRoute } from '../http/router.ts';
import type { Groups } from '../identity/groups.ts';
import type { Member } from '../identity/member.ts';
import { cleanTopic } from '../messages/content.ts';
import type { Presence } from '../presence/presence.ts';
import { seenAmong, seesUser } from '../privacy/seenUsers.ts';
import { settings } from '../settings/store.ts';

type TypingRequest = ParametersOut<typeof setTypingStatus>;

/** Publishes that a member is typing, unless they hide their presence or their typing. */
export function typingRoutes(database: Database, ephemeral: EphemeralEvents, groups: Groups, presence: Presence): Route[] {
  return [
    memberRoute(setTypingStatus, (request, { member }) => {
      const { event, isPublished } = database.snapshot((reader) => ({
        event: typingEvent(reader, groups, member, request),
        isPublished: settings.get(reader, member.id, settingFor(request)),
      }));
      const isShown = () => presence.isShown(member.id);
      if (isPublished && isShown()) {
        ephemeral.publish({ ...event, receives: (...delivery) => isShown() && event.receives(...delivery) });
      }
    }),
  ];
}

const settingFor = ({ type }: TypingRequest) =>
  type === 'direct' || type === 'private' ? 'send_private_typing_notifications' : 'send_stream_typing_notifications';

function typingEvent(reader: Reader, groups: Groups, member: Member, request: TypingRequest): EphemeralEvent {
  if (request.op !== 'start' && request.op !== 'stop') throw refused.because('Invalid op');
  switch (request.type) {
    case 'direct':
    case 'private':
      return typingInDirect(reader, groups, member, request);
    case 'stream':
    case 'channel':
      return typingInStream(reader, member, request);
    default:
      throw refused.because('Invalid type');
  }
}

/** The event is for all participants, including the member's own other devices. A participant must allow it like a message. */
function typingInDirect(reader: Reader, groups: Groups, member: Member, { op, to }: TypingRequest): EphemeralEvent {
  if (to === undefined) throw refused.because("Missing 'to' argument");
  const recipients = recipientsIn(reader, member, to).map(({ id, email }) => ({ user_id: id, email }));
  if (recipients.length === 0) throw refused.because("Empty 'to' list");
  const userIds = recipients.map(({ user_id }) => user_id);
  requireDirectConsent(reader, groups, member, userIds);
  return {
    type: 'typing',
    key: `${member.id} to ${userIds.join()}`,
    userIds: new Set(userIds),
    // Before the first message, a guest may not see everyone who will be in the conversation.
    receives: (now, { member: recipient }) => seenAmong(now, recipient, userIds).size === userIds.length,
    ...written({ op, message_type: 'direct', sender: senderView(member), recipients }),
  };
}

/** The event is for the subscribers, or for nobody if the stream has more than `maxSubscribersForTyping`. */
function typingInStream(reader: Reader, member: Member, { op, to, stream_id, topic: typed }: TypingRequest): EphemeralEvent {
  const streamId = stream_id ?? onlyIdIn(to);
  if (streamId === undefined) throw refused.because('Missing stream_id');
  const topic = cleanTopic(typed);
  // Members may send to every stream that they can see.
  visibleStreamOf(reader, member, streamId);
  const subscribers = memberships.subscribers(reader, streamId, maxSubscribersForTyping + 1);
  return {
    type: 'typing',
    key: `${member.id} in ${streamId} ${topicKey(topic)}`,
    userIds: new Set(subscribers.length > maxSubscribersForTyping ? [] : subscribers),
    receives: (now, { member: recipient, options }) =>
      options.stream_typing_notifications && isMember(now, streamId, recipient.id) && seesUser(now, recipient, member.id),
    ...written({ op, message_type: 'stream', sender: senderView(member), stream_id: streamId, topic }),
  };
}

function written(payload: Readonly<Record<string, unknown>>): Pick<EphemeralEvent, 'texts'> {
  const texts = [JSON.stringify({ type: 'typing', ...payload })];
  return { texts: () => texts };
}

const oneId = z.tuple([z.int()]);

/** The stream id in `to`, where clients before feature level 215 send it. */
function onlyIdIn(to: string | undefined): number | undefined {
  return to === undefined ? undefined : oneId.safeParse(valueIn(to)).data?.[0];
}

const senderView = ({ id, email }: Member) => ({ user_id: id, email });
