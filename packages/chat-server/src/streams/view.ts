import type { Stream, Subscription } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { type Unset, truth } from './notifications.ts';
import { type MembershipRow, memberships } from '../conversations/memberships.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';

export function streamView(stream: StreamRow): Stream {
  return {
    stream_id: stream.conversation_id,
    name: stream.name,
    description: stream.description,
    rendered_description: escapeHtml(stream.description),
    date_created: stream.created,
    creator_id: stream.creator_id,
    invite_only: stream.invite_only === 1,
    is_web_public: false,
    is_archived: stream.is_archived === 1,
    stream_post_policy: 1,
    history_public_to_subscribers: stream.shared_history === 1,
    message_retention_days: null,
    // Where history is not shared it may lie before a member's stay, and would tell them that there is something.
    first_message_id: stream.shared_history === 1 ? stream.first_message_id : null,
    stream_weekly_traffic: null,
    is_announcement_only: false,
    is_recently_active: true,
    picture_url: stream.picture_url,
  };
}

/** What a client wants to be told of subscriptions. */
export interface Showing {
  readonly subscribers: boolean;
  /** Of `whereUnset`. */
  readonly unset: Unset;
}

/** The streams that a member is subscribed to. The work grows with them (and their subscribers where asked for). */
export function subscriptionsOf(reader: Reader, userId: number, showing: Showing): Subscription[] {
  return subscribed(reader, userId).map(({ stream, stay }) => subscriptionView(reader, stream, stay, showing));
}

/** The streams that a user is subscribed to, with their stay there. */
export function subscribed(reader: Reader, userId: number) {
  return memberships.subscriptions(reader, userId).flatMap((stay) => {
    const stream = streams.byId(reader, stay.conversation_id);
    return stream ? [{ stream, stay }] : [];
  });
}

export function subscriptionView(
  reader: Reader,
  stream: StreamRow,
  stay: MembershipRow,
  { subscribers, unset }: Showing,
): Subscription {
  const shown = (property: keyof Unset) => truth(stay[property]) ?? unset[property];
  return {
    ...streamView(stream),
    color: stay.color,
    is_muted: stay.is_muted === 1,
    in_home_view: stay.is_muted === 0,
    pin_to_top: stay.pin_to_top === 1,
    desktop_notifications: shown('desktop_notifications'),
    audible_notifications: shown('audible_notifications'),
    push_notifications: shown('push_notifications'),
    email_notifications: shown('email_notifications'),
    wildcard_mentions_notify: shown('wildcard_mentions_notify'),
    put_away: stay.put_away === 1,
    ...subscribersOf(reader, stream, subscribers),
  };
}

/** The part of a view that names the subscribers, where that is asked for. */
export function subscribersOf(reader: Reader, stream: StreamRow, isAskedFor: boolean): { subscribers?: number[] } {
  return isAskedFor ? { subscribers: memberships.subscribers(reader, stream.conversation_id) } : {};
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
