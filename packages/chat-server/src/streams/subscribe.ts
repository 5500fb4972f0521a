import { maxEndedStays } from '@engawa/protocol';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { readAllOf } from '../reading/flags.ts';
import { type Viewer, isMember, isPublic, visibleStream } from '../conversations/access.ts';
import { archive } from './archive.ts';
import type { Bindings } from './bindings.ts';
import type { StreamRow } from '../conversations/streams.ts';
import { created, gone, peersChanged, subscribedTo, toSelf, unsubscribedFrom } from './events.ts';
import { memberships } from '../conversations/memberships.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';

/** The chat API's default palette: a member's next subscription takes the first colour that is not yet used. */
const palette = '#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 #f5ce6e #c2726a #94c849 #bd86e5'.split(' ');

/**
 * Begins a stay of each user who has none, and tells of it. The work grows with the users that are named.
 * @param color of the new subscriptions; one of the palette unless it is given.
 * @returns who has come.
 */
export function subscribe(
  tx: Transaction,
  log: EventLog,
  stream: StreamRow,
  users: readonly Viewer[],
  color?: string,
): readonly Viewer[] {
  const streamId = stream.conversation_id;
  const newcomers = users.filter(({ id }) => !isMember(tx, streamId, id));
  if (newcomers.length === 0) return [];
  for (const newcomer of newcomers) {
    if (!visibleStream(tx, newcomer, streamId)) log.append(tx, toSelf(newcomer, created(stream)));
  }
  for (const newcomer of newcomers) log.append(tx, toSelf(newcomer, subscribedTo(stream)));
  const told = log.append(tx, peersChanged(stream, 'peer_add', newcomers));
  // The stays begin after the events that tell of them, so that newcomers are not told of themselves as of others.
  beginStays(
    tx,
    streamId,
    newcomers.map(({ id }) => id),
    told,
    color,
  );
  return newcomers;
}

/**
 * Begins stays of users who have none, without a word.
 * @param event the newest that they do not hear as members.
 */
export function beginStays(tx: Transaction, streamId: number, userIds: readonly number[], event: number, color?: string): void {
  const newest = messageHeaders.newestId(tx, streamId);
  for (const userId of userIds) {
    memberships.deleteEnded(tx, streamId, userId, maxEndedStays);
    memberships.insert(tx, {
      conversation_id: streamId,
      user_id: userId,
      began_event: event,
      began_message: newest,
      color: color ?? unusedColor(tx, userId, streamId),
    });
  }
}

/** The same for users who were made just now, and so were in nothing. @param count of the streams that each is in. */
export function beginFirstStays(
  tx: Transaction,
  streamId: number,
  newcomers: readonly { readonly id: number; readonly count: number }[],
  event: number,
): void {
  const newest = messageHeaders.newestId(tx, streamId);
  for (const { id, count } of newcomers) {
    memberships.insert(tx, {
      conversation_id: streamId,
      user_id: id,
      began_event: event,
      began_message: newest,
      color: palette[count % palette.length] ?? '#76ce90',
    });
  }
}

/** Newest conversations of a user whose colours a new one does not repeat, while there are colours left. */
const mostColored = 100;

function unusedColor(tx: Transaction, userId: number, streamId: number): string {
  const used = memberships.colors(tx, userId, mostColored);
  return palette.find((color) => !used.includes(color)) ?? palette[streamId % palette.length] ?? '#76ce90';
}

/**
 * Ends the stays of those users who have one, and tells of it. A private stream that nobody is left in is archived,
 * unless it is bound.
 * The work grows with the users that are named, and with what each has not read: see `unreadIdsIn`.
 * @returns who has left.
 */
export function unsubscribe(
  tx: Transaction,
  log: EventLog,
  bindings: Bindings,
  stream: StreamRow,
  users: readonly Viewer[],
): readonly Viewer[] {
  const streamId = stream.conversation_id;
  const leavers = users.filter(({ id }) => isMember(tx, streamId, id));
  if (leavers.length === 0) return [];
  for (const leaver of leavers) leave(tx, log, stream, leaver);
  log.append(tx, peersChanged(stream, 'peer_remove', leavers));
  const isLeft = !isPublic(stream) && memberships.subscribers(tx, streamId, 1).length === 0;
  if (isLeft && !bindings.isBound(streamId)) archive(tx, log, stream);
  return leavers;
}

/** Ends the stays of users who are not active, which nobody sees: without a word to others. */
export function endUnseenStays(tx: Transaction, log: EventLog, stream: StreamRow, users: readonly Viewer[]): void {
  const streamId = stream.conversation_id;
  for (const user of users) if (isMember(tx, streamId, user.id)) leave(tx, log, stream, user);
}

function leave(tx: Transaction, log: EventLog, stream: StreamRow, leaver: Viewer): void {
  const streamId = stream.conversation_id;
  readAllOf(tx, log, leaver.id, streamId);
  const told = log.append(tx, toSelf(leaver, unsubscribedFrom(stream)));
  memberships.end(tx, streamId, leaver.id, told, messageHeaders.newestId(tx, streamId));
  if (!visibleStream(tx, leaver, streamId)) log.append(tx, toSelf(leaver, gone(stream)));
}
