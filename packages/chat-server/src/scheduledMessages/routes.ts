import {
  type ParametersOut,
  createScheduledMessage,
  deleteScheduledMessage,
  getScheduledMessages,
  maxScheduledMessages,
  updateScheduledMessage,
} from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { visibleStream } from '../conversations/access.ts';
import { recipientsIn } from '../conversations/recipients.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import type { Groups } from '../identity/groups.ts';
import type { Member } from '../identity/member.ts';
import { cleanContent, cleanTopic } from '../messages/content.ts';
import { Visibility } from '../privacy/visibility.ts';
import { publishScheduled } from './events.ts';
import { type ScheduledRow, type WrittenScheduled, scheduledMessages } from './store.ts';
import { type Recipients, recipientsOf, scheduledFor } from './view.ts';

export interface ScheduledDependencies {
  readonly database: Database;
  readonly log: EventLog;
  readonly groups: Groups;
  readonly clock: Clock;
}

export function scheduledMessageRoutes({ database, log, groups, clock }: ScheduledDependencies): Route[] {
  return [
    memberRoute(getScheduledMessages, (_, { member }) =>
      database.snapshot((reader) => ({ scheduled_messages: scheduledFor(reader, new Visibility(reader, groups), member) })),
    ),

    memberRoute(createScheduledMessage, async (request, { member, client }) => ({
      scheduled_message_id: await database.write((tx) => {
        const author = memberNow(tx, member);
        if (scheduledMessages.count(tx, author.id) >= maxScheduledMessages) {
          throw refused.because(`Too many scheduled messages (limit: ${maxScheduledMessages}).`);
        }
        const { type, to, topic, content } = request;
        const due = future(request.scheduled_delivery_timestamp, clock);
        const written = checked(tx, author, { type, to, topic, content }, { client, due });
        const id = scheduledMessages.insert(tx, author.id, written);
        publishScheduled(tx, log, author.id, { op: 'add', scheduled_id: id });
        return id;
      }),
    })),

    memberRoute(updateScheduledMessage, ({ scheduled_message_id, ...request }, { member }) =>
      database.write((tx) => {
        const author = memberNow(tx, member);
        const before = own(tx, author, scheduled_message_id);
        scheduledMessages.replace(tx, before.id, changed(tx, author, before, request, clock));
        publishScheduled(tx, log, author.id, { op: 'update', scheduled_id: before.id });
      }),
    ),

    memberRoute(deleteScheduledMessage, ({ scheduled_message_id }, { member }) =>
      database.write((tx) => {
        const author = memberNow(tx, member);
        const { id } = own(tx, author, scheduled_message_id);
        scheduledMessages.remove(tx, id);
        publishScheduled(tx, log, author.id, { op: 'remove', scheduled_message_id: id });
      }),
    ),
  ];
}

/** @throws ChatError the same for a missing message and one of another member. */
function own(reader: Reader, { id: authorId }: Member, id: number): ScheduledRow {
  const row = scheduledMessages.one(reader, authorId, id);
  if (!row) throw refused.noSuchScheduledMessage();
  return row;
}

function future(due: number, clock: Clock): number {
  if (due <= seconds(clock)) throw refused.because('Scheduled delivery time must be in the future.');
  return due;
}

type Text = Pick<ParametersOut<typeof createScheduledMessage>, 'type' | 'to' | 'topic' | 'content'>;

/** The rights are checked again when the message is sent. */
function checked(
  reader: Reader,
  author: Member,
  { type, to, topic, content }: Text,
  rest: Pick<ScheduledRow, 'client' | 'due'>,
): WrittenScheduled {
  const isStream = type === 'stream' || type === 'channel';
  return {
    type: isStream ? 'stream' : 'private',
    recipients: JSON.stringify(isStream ? streamIn(reader, author, to) : participantsIn(reader, author, to)),
    topic: isStream ? cleanTopic(topic) : '',
    content: cleanContent(content),
    ...rest,
  };
}

function streamIn(reader: Reader, author: Member, to: Recipients): number {
  if (typeof to !== 'number') throw refused.because('Invalid data type for stream ID');
  if (!visibleStream(reader, author, to)) throw refused.noSuchStreamId(to);
  return to;
}

function participantsIn(reader: Reader, author: Member, to: Recipients): readonly number[] {
  if (typeof to === 'number') throw refused.because('Invalid data type for recipients');
  recipientsIn(reader, author, JSON.stringify(to));
  return to;
}

function changed(
  reader: Reader,
  author: Member,
  before: ScheduledRow,
  request: Omit<ParametersOut<typeof updateScheduledMessage>, 'scheduled_message_id'>,
  clock: Clock,
): WrittenScheduled {
  const { type = before.type, content = before.content, scheduled_delivery_timestamp: due } = request;
  if (request.type !== undefined && request.to === undefined) {
    throw refused.because('Recipient required when updating type of scheduled message.');
  }
  if (due === undefined && before.failed === 1) throw refused.because('Scheduled delivery time must be in the future.');
  const topic = request.topic ?? (before.type === 'stream' ? before.topic : undefined);
  const text = { type, to: request.to ?? recipientsOf(before), topic, content };
  return checked(reader, author, text, { client: before.client, due: due === undefined ? before.due : future(due, clock) });
}
