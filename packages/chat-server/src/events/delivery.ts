import { entersPublicStreams, readableIn, visibleStream, within } from '../conversations/access.ts';
import { isNotification, whereUnset } from '../streams/notifications.ts';
import { streamView, subscriptionView } from '../streams/view.ts';
import type { Reader } from '../database/index.ts';
import { edits } from '../messages/edits.ts';
import { isMeMessage } from '../messages/html.ts';
import { htmlRenderer } from '../messages/htmlRenderer.ts';
import { type MessageRow } from '../messages/store.ts';
import { messageViews } from '../messages/view.ts';
import { flagsOf } from '../reading/unread.ts';
import { statuses } from '../status/store.ts';
import { noStatus, wholeStatusView } from '../status/view.ts';
import { users } from '../identity/store.ts';
import type { Member } from '../identity/member.ts';
import { pictureView, userView } from '../users/view.ts';
import type { EventLog, EventRow } from './log.ts';
import { type AudienceChange, type Update, type Views, payloadOf } from './payload.ts';
import { isWithin } from '../messages/queueNarrow.ts';
import type { Queue } from './queues.ts';
import { hears } from '../messages/recipients.ts';
import { memberships } from '../conversations/memberships.ts';
import { streams } from '../conversations/streams.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';

/** Most rows of the log that one poll looks at, and characters after which it leaves the rest to the next. */
export const mostExamined = 1000;
const mostCharacters = 1_000_000;

export interface Delivery {
  /** Events as JSON texts, ids ascending. */
  readonly events: readonly string[];
  /** The newest id that was looked at. A client that acknowledges it misses nothing. */
  readonly examined: number;
}

/** What a queue's member hears of the events after `cursor`. Bounded by `mostExamined` rows and `mostCharacters`. */
export function deliver(reader: Reader, log: EventLog, queue: Queue, cursor: number, views: Views): Delivery {
  const rows = views.after(cursor, () => log.afterTogether(reader, cursor, mostExamined));
  const events: string[] = [];
  let examined = cursor;
  let characters = 0;
  for (const row of rows) {
    if (characters > mostCharacters) break;
    const event = eventFor(reader, queue, row, views);
    examined = row.id;
    if (event === undefined) continue;
    events.push(event);
    characters += event.length;
  }
  // Nothing for this member among so many rows: the heartbeat moves the cursor on, and the next poll looks further.
  if (events.length === 0 && rows.length === mostExamined) return { events: [heartbeat(examined)], examined };
  return { events, examined };
}

export function heartbeat(id: number): string {
  return JSON.stringify({ type: 'heartbeat', id });
}

function eventFor(reader: Reader, queue: Queue, row: EventRow, views: Views): string | undefined {
  const { event_types: types, all_public_streams: widely } = queue.options;
  if (types && !types.includes(row.type)) return undefined;
  if (!hears(reader, queue.member, row, widely, views)) return undefined;
  switch (row.type) {
    case 'message':
      return messageEvent(reader, queue, row, views);
    case 'update_message':
      return updateEvent(reader, queue, row, views);
    case 'delete_message':
      return deleteEvent(queue, row, views);
    case 'subscription':
      return subscriptionEvent(reader, queue, row, views);
    case 'stream':
      return streamEvent(reader, queue, row, views);
    case 'realm_user':
      return userEvent(reader, queue, row, views);
    case 'user_status':
      return statusEvent(reader, queue, row, views);
    default:
      return asWritten(row, views);
  }
}

/** An event that was written down as it is told. */
function asWritten(row: EventRow, views: Views): string {
  return views.shared(`${row.id}`, () => JSON.stringify({ ...payloadOf.other(row), type: row.type, id: row.id }));
}

/** The message as it is now. One that is gone by now is not told of. */
function messageEvent(reader: Reader, queue: Queue, row: EventRow, views: Views): string | undefined {
  const message = row.message_id === null ? undefined : views.message(row.message_id);
  if (!message || message.deleted !== null) return undefined;
  const all = flagsFor(queue.member, message, views);
  // A queue of all public streams hears also what was not sent to its member. Of that the API tells no flags.
  const seen = all.includes('historical') ? [] : all;
  if (!isWithin(queue.options.narrow, message, seen)) return undefined;
  const { queue_id, local_id } = views.sentFrom(row);
  const local = queue_id === queue.id ? local_id : undefined;
  const flags = seen.join(' ');
  const markdown = queue.options.apply_markdown;
  const enters = entersPublicStreams(queue.member);
  const seesPicture = views.sight.isOpen('photo_audience', message.sender_id, queue.member.id);
  const view = `${row.id} ${markdown} ${enters} ${seesPicture} ${flags}`;
  return views.shared(local === undefined ? view : `${view} ${JSON.stringify(local)}`, () => {
    // Each reaction since has an event of its own, and a client that was told of it twice would show it twice.
    const shown = JSON.stringify({ ...messageViews(reader, views.sight, queue.member)(message, markdown), reactions: [] });
    const mark = local === undefined ? '' : `,"local_message_id":${JSON.stringify(local)}`;
    return `{"type":"message","id":${row.id},"message":${shown},"flags":${JSON.stringify(seen)}${mark}}`;
  });
}

function flagsFor({ id: userId }: Member, message: MessageRow, { crowd }: Views): string[] {
  const { id, conversation_id: conversationId } = message;
  const ranges = crowd.readRanges(conversationId, userId);
  return flagsOf(message, crowd.stays(conversationId, userId), ranges, crowd.bits(id, userId));
}

/**
 * A correction, of those messages that the member may read, with their content as it is now. Bounded by
 * `maxMessagesMoved`.
 */
function updateEvent(reader: Reader, queue: Queue, row: EventRow, views: Views): string | undefined {
  const update = views.update(row, () => updateIn(reader, row));
  const stays = views.crowd.stays(update.conversation_id, queue.member.id);
  const spans = readableIn(reader, queue.member, update.conversation_id, stays);
  const ids = update.left.filter((id) => within(id, spans));
  const told = ids.includes(update.message_id) ? update.message_id : ids[0];
  const message = told === undefined ? undefined : views.message(told);
  if (!message) return undefined;
  const flags = flagsFor(queue.member, message, views);
  const { user_id, edit_timestamp, content_edit, topic } = update;
  const enters = entersPublicStreams(queue.member);
  return views.shared(`${row.id} ${JSON.stringify([spans, enters, flags])}`, () =>
    JSON.stringify({
      type: row.type,
      id: row.id,
      user_id,
      edit_timestamp,
      message_id: message.id,
      message_ids: ids,
      flags,
      rendering_only: false,
      ...(message.stream_name === null ? {} : { stream_id: message.conversation_id, stream_name: message.stream_name }),
      ...(content_edit === undefined || told !== update.message_id ? {} : contentChange(reader, queue, message, content_edit)),
      ...(topic ? { ...topic, topic_links: [] } : {}),
    }),
  );
}

function updateIn(reader: Reader, row: EventRow): Update {
  const update = payloadOf.update(row);
  const left = messageHeaders.of(reader, update.message_ids).filter(({ deleted }) => deleted === null);
  return { ...update, left: left.map(({ id }) => id) };
}

function contentChange(reader: Reader, { member }: Queue, { content, client }: MessageRow, editId: number) {
  const html = htmlRenderer(reader, member);
  const before = edits.byId(reader, editId)?.prev_content ?? '';
  return {
    content,
    rendered_content: html({ content, client }),
    orig_content: before,
    orig_rendered_content: html({ content: before, client }),
    is_me_message: isMeMessage({ content, client }),
  };
}

function deleteEvent({ options }: Queue, row: EventRow, views: Views): string {
  const { message_id, ...place } = payloadOf.delete(row);
  const which = options.bulk_message_deletion ? { message_ids: [message_id] } : { message_id };
  return views.shared(`${row.id} ${options.bulk_message_deletion}`, () =>
    JSON.stringify({ ...place, ...which, type: row.type, id: row.id }),
  );
}

function subscriptionEvent(reader: Reader, queue: Queue, row: EventRow, views: Views): string | undefined {
  const { payload, userIds } = views.subscription(row);
  if (payload.op === 'remove') return asWritten(row, views);
  if (payload.op === 'update') {
    return userIds?.has(queue.member.id) === false ? undefined : propertyEvent(reader, queue, row, payload, views);
  }
  if (payload.op !== 'add') return peersEvent(queue, row, payload, views);
  // The subscription as it is now: one that has ended by now is told of by the event of its end.
  const stay = memberships.current(reader, payload.conversationId, queue.member.id);
  const stream = streams.byId(reader, payload.conversationId);
  if (!stay || !stream) return undefined;
  const subscriptions = [
    subscriptionView(reader, stream, stay, {
      subscribers: true,
      unset: unsetFor(reader, queue),
    }),
  ];
  return JSON.stringify({ type: row.type, op: 'add', subscriptions, id: row.id });
}

type Property = Extract<ReturnType<typeof payloadOf.subscription>, { op: 'update' }>;

/** What is no longer set of its own is told, to clients that do not know of that, as what then is so. */
function propertyEvent(reader: Reader, queue: Queue, row: EventRow, payload: Property, views: Views): string {
  const { user_ids: _, value: set, ...told } = payload;
  const { property } = told;
  const value = set ?? (isNotification(property) ? unsetFor(reader, queue)[property] : null);
  return views.shared(`${row.id} ${String(value)}`, () => JSON.stringify({ ...told, value, type: row.type, id: row.id }));
}

const unsetFor = (reader: Reader, { member, options }: Queue) =>
  whereUnset(reader, member.id, options.notification_settings_null);

type Peers = Extract<ReturnType<typeof payloadOf.subscription>, { op: 'peer_add' | 'peer_remove' }>;

/**
 * Others came or went. To whom it happened it is told as their own; what they are not told of now, because it has
 * ended, said nothing of those who came with them.
 */
function peersEvent({ member }: Queue, row: EventRow, { user_ids, ...payload }: Peers, views: Views): string | undefined {
  if (!user_ids.includes(member.id)) return asWritten(row, views);
  const others = user_ids.filter((id) => id !== member.id);
  return others.length === 0 ? undefined : JSON.stringify({ ...payload, user_ids: others, type: row.type, id: row.id });
}

/** A new stream as it is now, to those who still see it; everything else as it was written. */
function streamEvent(reader: Reader, queue: Queue, row: EventRow, views: Views): string | undefined {
  const payload = payloadOf.stream(row);
  if (payload.op !== 'create') return asWritten(row, views);
  const stream = visibleStream(reader, queue.member, payload.conversationId);
  if (!stream) return undefined;
  return views.shared(`${row.id}`, () =>
    JSON.stringify({ type: row.type, op: 'create', streams: [streamView(stream)], id: row.id }),
  );
}

function userEvent(reader: Reader, { member }: Queue, row: EventRow, views: Views): string | undefined {
  const payload = payloadOf.user(row);
  if (payload.op === 'update') return asWritten(row, views);
  const user = users.byId(reader, payload.userId);
  if (!user) return undefined;
  const sees = views.sight.isOpen('photo_audience', user.id, member.id);
  const write = (event: Readonly<Record<string, unknown>>) =>
    views.shared(`${row.id} ${sees}`, () => JSON.stringify({ type: row.type, ...event, id: row.id }));
  if (payload.op === 'add') return write({ op: 'add', person: userView(user, sees) });
  if (!isNews(views, payload, member, sees)) return undefined;
  const { avatar_url, avatar_version } = pictureView(user, sees);
  const avatar_source = avatar_url === null ? 'G' : 'U';
  const picture = { avatar_url, avatar_url_medium: avatar_url, avatar_source, avatar_version };
  return write({ op: 'update', person: { user_id: user.id, ...picture } });
}

function statusEvent(reader: Reader, { member }: Queue, row: EventRow, views: Views): string | undefined {
  const payload = payloadOf.status(row);
  const sees = views.sight.isOpen('status_audience', payload.userId, member.id);
  if (!isNews(views, payload, member, sees)) return undefined;
  return views.shared(`${row.id} ${sees}`, () => {
    const status = sees ? (statuses.of(reader, payload.userId) ?? noStatus) : noStatus;
    return JSON.stringify({ type: row.type, user_id: payload.userId, ...wholeStatusView(status), id: row.id });
  });
}

interface Withholdable {
  readonly userId: number;
  readonly audience?: AudienceChange | undefined;
}

/** Of a change who sees it hears; of another audience who gained or lost by it. */
function isNews({ sight }: Views, { userId, audience }: Withholdable, { id }: Member, sees: boolean): boolean {
  return audience ? sight.admits(audience.before, userId, id) !== sight.admits(audience.after, userId, id) : sees;
}
