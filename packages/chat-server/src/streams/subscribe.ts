import { maxEndedStays } from '@engawa/protocol';
import { type Viewer, isMember, isOpenTo, isPublic, ownerReads, visibleStream } from '../conversations/access.ts';
import { memberships } from '../conversations/memberships.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';
import { publishSightGained, publishSightLost } from '../conversations/sightChanges.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Transaction } from '../database/index.ts';
import { type EventLog, toSelf } from '../events/log.ts';
import { bots } from '../identity/bots.ts';
import { viewerOf } from '../identity/member.ts';
import { markConversationRead } from '../reading/flags.ts';
import { type Steps, atOnce } from '../turns.ts';
import { archive } from './archive.ts';
import type { Bindings } from './bindings.ts';
import { subscribedStreams } from './view.ts';
import { peersChanged, streamCreated, streamDeleted, streamHidden, subscriptionAdded, subscriptionRemoved } from './events.ts';

/** Zulip's colours. A new subscription gets the first that the member's newest conversations do not use. */
const palette = '#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 #f5ce6e #c2726a #94c849 #bd86e5'.split(' ');

/** A step for each user, because thousands may join. @param color by default one of the palette. @returns the new subscribers. */
export function* subscribe(
  tx: Transaction,
  log: EventLog,
  stream: StreamRow,
  users: readonly Viewer[],
  color?: string,
): Steps<readonly Viewer[]> {
  const streamId = stream.conversation_id;
  const newcomers = yield* othersAmong(tx, streamId, users);
  if (newcomers.length === 0) return [];
  publishSightGained(tx, log, streamId, newcomers);
  for (const newcomer of newcomers) {
    if (!visibleStream(tx, newcomer, streamId)) log.append(tx, toSelf(newcomer, streamCreated(stream)));
    yield;
  }
  for (const newcomer of newcomers) {
    log.append(tx, toSelf(newcomer, subscriptionAdded(stream)));
    yield;
  }
  const event = log.append(tx, peersChanged(stream, 'peer_add', newcomers));
  // The memberships begin after these events, so that newcomers do not receive `peer_add` about themselves.
  const newIds = newcomers.map(({ id }) => id);
  yield* beginMemberships(tx, streamId, newIds, event, color);
  return newcomers;
}

function* membersAmong<User extends Viewer>(tx: Transaction, streamId: number, users: readonly User[]): Steps<User[]> {
  const found: User[] = [];
  for (const user of users) {
    if (isMember(tx, streamId, user.id)) found.push(user);
    yield;
  }
  return found;
}

export function* othersAmong<User extends Viewer>(tx: Transaction, streamId: number, users: readonly User[]): Steps<User[]> {
  const members = new Set(yield* membersAmong(tx, streamId, users));
  return users.filter((user) => !members.has(user));
}

/** Publishes no events. @param event users receive the stream's events only after this one. */
export function* beginMemberships(
  tx: Transaction,
  streamId: number,
  userIds: readonly number[],
  event: number,
  color?: string,
): Steps<void> {
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
    yield;
  }
}

/** Faster, for new users, who have no memberships yet. @param count the number of streams that each has joined so far. */
export function* beginFirstMemberships(
  tx: Transaction,
  streamId: number,
  newcomers: readonly { readonly id: number; readonly count: number }[],
  event: number,
): Steps<void> {
  const newest = messageHeaders.newestId(tx, streamId);
  for (const { id, count } of newcomers) {
    memberships.insert(tx, {
      conversation_id: streamId,
      user_id: id,
      began_event: event,
      began_message: newest,
      color: paletteColor(count),
    });
    yield;
  }
}

const mostColored = 100;

function unusedColor(tx: Transaction, userId: number, streamId: number): string {
  const used = new Set(memberships.colors(tx, userId, mostColored));
  return palette.find((color) => !used.has(color)) ?? paletteColor(streamId);
}

const paletteColor = (index: number): string => palette[index % palette.length] ?? '#76ce90';

/** Archives a private stream that has no subscribers left, unless it is bound. @returns the users who left. */
export function* unsubscribe(
  tx: Transaction,
  log: EventLog,
  bindings: Bindings,
  stream: StreamRow,
  users: readonly Viewer[],
): Steps<readonly Viewer[]> {
  const streamId = stream.conversation_id;
  const leavers = yield* membersAmong(tx, streamId, users);
  if (leavers.length === 0) return [];
  yield* leave(tx, log, stream, leavers);
  log.append(tx, peersChanged(stream, 'peer_remove', leavers));
  publishSightLost(tx, log, streamId, leavers);
  botsLeave(tx, log, stream, leavers);
  const isEmpty = !isPublic(stream) && memberships.subscribers(tx, streamId, 1).length === 0;
  if (isEmpty && !bindings.isBound(streamId)) archive(tx, log, stream);
  return leavers;
}

/** Ends memberships of inactive users. Others receive no event, because they do not see inactive users as subscribers. */
export function* endPausedMemberships(tx: Transaction, log: EventLog, stream: StreamRow, users: readonly Viewer[]): Steps<void> {
  const leavers = yield* membersAmong(tx, stream.conversation_id, users);
  yield* leave(tx, log, stream, leavers);
  publishSightLost(tx, log, stream.conversation_id, leavers);
  botsLeave(tx, log, stream, leavers);
}

function botsLeave(tx: Transaction, log: EventLog, stream: StreamRow, leavers: readonly Viewer[]): void {
  const ownerIds = leavers.map(({ id }) => id);
  for (const bot of bots.ofOwners(tx, ownerIds)) leaveWithoutOwner(tx, log, stream, bot);
}

type Bot = ReturnType<typeof bots.ofOwners>[number];

/** Bots leave the streams that their owners can no longer read. Call it after the owner or the rights of the owner changed. */
export function leaveWithOwner(tx: Transaction, log: EventLog, changed: readonly Bot[]): void {
  for (const bot of changed) {
    for (const { stream } of subscribedStreams(tx, bot.id)) leaveWithoutOwner(tx, log, stream, bot);
  }
}

function leaveWithoutOwner(tx: Transaction, log: EventLog, stream: StreamRow, bot: Bot): void {
  const leaver = viewerOf(bot);
  const streamId = stream.conversation_id;
  if (!isMember(tx, streamId, bot.id) || ownerReads(tx, leaver, streamId)) return;
  atOnce(leave(tx, log, stream, [leaver]));
  if (bot.is_active) log.append(tx, peersChanged(stream, 'peer_remove', [leaver]));
  publishSightLost(tx, log, streamId, [leaver]);
}

/**
 * One event tells all people among the leavers that they no longer see the stream. It contains the whole stream, which would
 * otherwise be logged once for each of them. They are members until this event. A bot sees what its owner sees, so it is looked at
 * after the owner has left. Its event is for it alone.
 */
function* leave(tx: Transaction, log: EventLog, stream: StreamRow, leavers: readonly Viewer[]): Steps<void> {
  const streamId = stream.conversation_id;
  let event = 0;
  for (const leaver of leavers) {
    markConversationRead(tx, log, leaver.id, streamId);
    event = log.append(tx, toSelf(leaver, subscriptionRemoved(stream)));
    yield;
  }
  const now = streams.byId(tx, streamId);
  const unseeing = leavers.filter((leaver) => leaver.ownerId === null && !isOpenTo(leaver, now));
  if (unseeing.length > 0) event = log.append(tx, streamHidden(stream, unseeing));
  const newest = messageHeaders.newestId(tx, streamId);
  for (const { id } of leavers) {
    memberships.end(tx, streamId, id, event, newest);
    yield;
  }
  for (const leaver of leavers) {
    if (leaver.ownerId !== null && !visibleStream(tx, leaver, streamId)) log.append(tx, toSelf(leaver, streamDeleted(stream)));
  }
}
