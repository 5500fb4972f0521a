import { createHash } from 'node:crypto';
import { maxStreamNameLength } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import type { Row } from '../schema.ts';
import { realmId, recipientKinds, recipientOfConversation, recipientOfUser } from './format.ts';
import { participantsOf } from './messages.ts';
import { rowsOf, usersIn } from './pages.ts';
import { exported } from './store.ts';

const conversationsIn = (reader: Reader) => rowsOf((after, most) => exported.conversations(reader, after, most));

export function* streamRows(reader: Reader): Generator<object, void> {
  for (const { id, kind, name, description, invite_only, is_archived, created, shared_history } of conversationsIn(reader)) {
    if (kind !== 'stream') continue;
    const isPrivate = invite_only === 1 || is_archived === 1;
    yield {
      id,
      realm: realmId,
      name: is_archived === 1 ? archivedName(id, name ?? '') : name,
      description: (description ?? '').replaceAll('\n', ' '),
      date_created: created,
      deactivated: is_archived === 1,
      invite_only: isPrivate,
      // Zulip has no public streams with a hidden history.
      history_public_to_subscribers: !isPrivate || shared_history === 1,
      is_web_public: false,
      stream_post_policy: 1,
      message_retention_days: null,
    };
  }
}

/** As Zulip renames a stream when it is archived, so that the name is free. */
function archivedName(id: number, name: string): string {
  const prefix = createHash('sha512').update(String(id)).digest('hex').slice(0, 7);
  return [...`${prefix}!DEACTIVATED:${name}`].slice(0, maxStreamNameLength).join('');
}

/** Direct conversations of more than two users. */
function* groupsIn(reader: Reader): Generator<{ readonly id: number; readonly userIds: readonly number[] }, void> {
  for (const { id, participants } of conversationsIn(reader)) {
    const userIds = participants === null ? [] : participantsOf(participants);
    if (userIds.length > 2) yield { id, userIds };
  }
}

export function* groupRows(reader: Reader): Generator<object, void> {
  for (const { id, userIds } of groupsIn(reader)) {
    yield { id, huddle_hash: createHash('sha1').update(userIds.join()).digest('hex') };
  }
}

export function* recipientRows(reader: Reader): Generator<object, void> {
  for (const { id } of usersIn(reader)) {
    yield { id: recipientOfUser(id), type: recipientKinds.user, type_id: id };
  }
  for (const { id, kind } of conversationsIn(reader)) {
    if (kind === 'stream') yield { id: recipientOfConversation(id), type: recipientKinds.stream, type_id: id };
  }
  for (const { id } of groupsIn(reader)) {
    yield { id: recipientOfConversation(id), type: recipientKinds.group, type_id: id };
  }
}

/** Zulip also has a subscription of each user to themselves, and of the users of a group to the group. */
export function* subscriptionRows(reader: Reader): Generator<object, void> {
  let id = 0;
  const row = (user_profile: number, recipient: number, own: object = directSubscription) => {
    id += 1;
    return { id, user_profile, recipient, active: true, ...own };
  };
  for (const user of usersIn(reader)) yield row(user.id, recipientOfUser(user.id));
  for (const membership of rowsOf((after, most) => exported.subscriptions(reader, after, most))) {
    yield row(membership.user_id, recipientOfConversation(membership.conversation_id), subscriptionColumns(membership));
  }
  for (const { id: group, userIds } of groupsIn(reader)) {
    for (const userId of userIds) yield row(userId, recipientOfConversation(group));
  }
}

const directSubscription = { is_muted: false, pin_to_top: false, color: '#c2c2c2' };

const optional = (value: number | null): boolean | null => (value === null ? null : value === 1);

function subscriptionColumns(membership: Row<'membership'>) {
  return {
    is_muted: membership.is_muted === 1,
    pin_to_top: membership.pin_to_top === 1,
    color: membership.color,
    desktop_notifications: optional(membership.desktop_notifications),
    audible_notifications: optional(membership.audible_notifications),
    push_notifications: optional(membership.push_notifications),
    email_notifications: optional(membership.email_notifications),
    wildcard_mentions_notify: optional(membership.wildcard_mentions_notify),
  };
}
