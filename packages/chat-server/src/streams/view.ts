import { type Stream, type Subscription, administratorsGroup, systemGroups } from '@engawa/protocol';
import { type MembershipRow, memberships } from '../conversations/memberships.ts';
import type { Viewer } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import { type Ranked, isGuest } from '../identity/member.ts';
import { escapeHtml } from '../text/characters.ts';
import { type NotificationDefaults, truthOf } from './notifications.ts';

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
    // Without shared history, the first message may be older than the membership of the viewer, who must not see it.
    first_message_id: stream.shared_history === 1 ? stream.first_message_id : null,
    stream_weekly_traffic: null,
    is_announcement_only: false,
    is_recently_active: true,
    can_remove_subscribers_group: administratorsGroup,
    can_administer_channel_group: administratorsGroup,
    // Every reader of a stream may send to it.
    can_send_message_group: systemGroups.everyone,
    can_add_subscribers_group: systemGroups.nobody,
    can_subscribe_group: systemGroups.nobody,
    picture_url: stream.picture_url,
  };
}

/** Guests get no creator, because no event would add or remove the creator when they begin or cease to see them. */
export function streamViewFor(viewer: Ranked, stream: StreamRow): Stream {
  return isGuest(viewer) ? { ...streamView(stream), creator_id: null } : streamView(stream);
}

export interface SubscriptionOptions {
  readonly subscribers: boolean;
  readonly defaults: NotificationDefaults | undefined;
}

export function subscriptionsOf(reader: Reader, viewer: Viewer, options: SubscriptionOptions): Subscription[] {
  return subscribedStreams(reader, viewer.id).map(({ stream, membership }) =>
    subscriptionView(reader, viewer, stream, membership, options),
  );
}

export function subscribedStreams(reader: Reader, userId: number) {
  return memberships.subscriptions(reader, userId).flatMap((membership) => {
    const stream = streams.byId(reader, membership.conversation_id);
    return stream ? [{ stream, membership }] : [];
  });
}

export function subscriptionView(
  reader: Reader,
  viewer: Ranked,
  stream: StreamRow,
  membership: MembershipRow,
  { subscribers, defaults }: SubscriptionOptions,
): Subscription {
  const effective = (property: keyof NotificationDefaults) => truthOf(membership[property]) ?? defaults?.[property] ?? null;
  return {
    ...streamViewFor(viewer, stream),
    color: membership.color,
    is_muted: membership.is_muted === 1,
    in_home_view: membership.is_muted === 0,
    pin_to_top: membership.pin_to_top === 1,
    desktop_notifications: effective('desktop_notifications'),
    audible_notifications: effective('audible_notifications'),
    push_notifications: effective('push_notifications'),
    email_notifications: effective('email_notifications'),
    wildcard_mentions_notify: effective('wildcard_mentions_notify'),
    put_away: membership.put_away === 1,
    ...subscribersView(reader, stream, subscribers),
  };
}

export function subscribersView(reader: Reader, stream: StreamRow, isListed: boolean): { subscribers?: number[] } {
  return isListed ? { subscribers: memberships.subscribers(reader, stream.conversation_id) } : {};
}
