import { type ParametersOut, maxSubscribersForTyping, setTypingStatus } from '@engawa/protocol';
import { z } from 'zod';
import { isMember, visibleStream } from '../conversations/access.ts';
import { recipientsIn, valueIn } from '../conversations/recipients.ts';
import type { Database, Reader } from '../database/index.ts';
import type { Fleeting, FleetingEvent } from '../events/ephemeral.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { cleanTopic } from '../messages/content.ts';
import { topicKey } from '../conversations/messageHeaders.ts';
import type { Presence } from '../presence/presence.ts';
import { refuseUnwantedDirect } from '../privacy/groupConsent.ts';
import { settings } from '../settings/store.ts';
import type { Groups } from '../identity/groups.ts';
import type { Member } from '../identity/member.ts';
import { memberships } from '../conversations/memberships.ts';

type Typing = ParametersOut<typeof setTypingStatus>;

export interface TypingRooms {
  readonly database: Database;
  readonly fleeting: Fleeting;
  readonly groups: Groups;
  readonly presence: Presence;
}

/** Who does not show that they are there, or does not tell that they type, is told of to nobody. */
export function typingRoutes({ database, fleeting, groups, presence }: TypingRooms): Route[] {
  return [
    memberRoute(setTypingStatus, (typing, { member }) => {
      const { event, isTold } = database.snapshot((reader) => {
        const asked = typingEvent(reader, groups, member, typing);
        return { event: asked, isTold: settings.get(reader, member.id, settingFor(typing)) };
      });
      const isShown = () => presence.isShown(member.id);
      if (isTold && isShown()) fleeting.tell({ ...event, hears: (...now) => isShown() && event.hears(...now) });
      return {};
    }),
  ];
}

const settingFor = ({ type }: Typing) =>
  type === 'direct' || type === 'private' ? 'send_private_typing_notifications' : 'send_stream_typing_notifications';

function typingEvent(reader: Reader, groups: Groups, member: Member, typing: Typing): FleetingEvent {
  if (typing.op !== 'start' && typing.op !== 'stop') throw refused.because('Invalid op');
  switch (typing.type) {
    case 'direct':
    case 'private':
      return typingToPeople(reader, groups, member, typing);
    case 'stream':
    case 'channel':
      return typingInStream(reader, member, typing);
    default:
      throw refused.because('Invalid type');
  }
}

/** Everyone who takes part hears of it, on whatever device: the sender, too. Who may not write to them does not type to them. */
function typingToPeople(reader: Reader, groups: Groups, member: Member, { op, to }: Typing): FleetingEvent {
  if (to === undefined) throw refused.because("Missing 'to' argument");
  const recipients = recipientsIn(reader, member, to).map(({ id, email }) => ({ user_id: id, email }));
  if (recipients.length === 0) throw refused.because("Empty 'to' list");
  const userIds = recipients.map(({ user_id }) => user_id);
  refuseUnwantedDirect(reader, groups, member.id, userIds);
  return {
    type: 'typing',
    about: `${member.id} to ${userIds.join()}`,
    userIds: new Set(userIds),
    hears: () => true,
    ...written({ op, message_type: 'direct', sender: senderView(member), recipients }),
  };
}

/** The subscribers hear of it; of a stream that has too many nobody does. */
function typingInStream(reader: Reader, member: Member, { op, to, stream_id, topic: typed }: Typing): FleetingEvent {
  const streamId = stream_id ?? onlyIdIn(to);
  if (streamId === undefined) throw refused.because('Missing stream_id');
  const topic = cleanTopic(typed);
  // Who sees a stream may send to it.
  if (!visibleStream(reader, member, streamId)) throw refused.invalidStreamId();
  const subscribers = memberships.subscribers(reader, streamId, maxSubscribersForTyping + 1);
  return {
    type: 'typing',
    about: `${member.id} in ${streamId} ${topicKey(topic)}`,
    userIds: new Set(subscribers.length > maxSubscribersForTyping ? [] : subscribers),
    // Only who is still subscribed, on a queue that asked for such.
    hears: (now, { member: listener, options }) => options.stream_typing_notifications && isMember(now, streamId, listener.id),
    ...written({ op, message_type: 'stream', sender: senderView(member), stream_id: streamId, topic }),
  };
}

function written(payload: Readonly<Record<string, unknown>>): Pick<FleetingEvent, 'texts'> {
  const texts = [JSON.stringify({ type: 'typing', ...payload })];
  return { texts: () => texts };
}

const oneId = z.tuple([z.int()]);

/** How a stream was named before feature level 215. */
function onlyIdIn(to: string | undefined): number | undefined {
  return to === undefined ? undefined : oneId.safeParse(valueIn(to)).data?.[0];
}

const senderView = ({ id, email }: Member) => ({ user_id: id, email });
