/** An organisation with three streams, a member of every role outside them, two subscribers and a member who has left. */
import { type Stream, roles, unsubscribe } from '@engawa/protocol';
import * as eg from './eg.ts';

/** `square` is public. `sales` and `audit` are private, and only `sales` shows its history to new subscribers. */
export const square = '広場';
export const sales = '営業部';
export const audit = '監査';
export const streams = [square, sales, audit];

/** Members outside the streams, by role. */
export const outside = {
  owner: 'tanaka',
  administrator: 'sato',
  moderator: 'kato',
  member: 'suzuki',
  guest: 'takahashi',
} as const;
export const inside = { member: 'ito', guest: 'mori' } as const;
/** Left every stream after the first message was sent. */
export const leaver = 'yamada';
export const firstMessage = '縁側にて';

export const everyone = [...Object.values(outside), ...Object.values(inside), leaver];

const smallOrganisation = eg.organisation();
const [private_] = smallOrganisation.streams;

function stream(name: string, change: { invite_only: boolean; history_public_to_subscribers: boolean }) {
  if (!private_) throw new Error('eg.organisation() has no stream');
  const subscribers = [...Object.values(inside), leaver].map(eg.emailOf);
  return { ...private_, name, description: `${name}の連絡`, creator: eg.emailOf('ito'), subscribers, ...change };
}

const organisation = eg.organisation({
  users: [
    ...smallOrganisation.users,
    eg.person('kato', '加藤 直樹', roles.moderator),
    eg.person('mori', '森 さくら', roles.guest),
    eg.person('yamada', '山田 健', roles.member),
  ],
  streams: [
    stream(square, { invite_only: false, history_public_to_subscribers: true }),
    stream(sales, { invite_only: true, history_public_to_subscribers: true }),
    stream(audit, { invite_only: true, history_public_to_subscribers: false }),
  ],
  messages: streams.map((name) => eg.pastMessage(firstMessage, { by: 'ito', stream: name })),
});

export async function company(): Promise<eg.Server> {
  const server = await eg.server({ organisation });
  await eg.signIn(server, leaver).ok(unsubscribe, { subscriptions: streams });
  return server;
}

/** A stream of this organisation as events and answers show it to its subscribers. */
export function streamView(server: eg.Server, name: string, change: Partial<Stream> = {}): Stream {
  return {
    stream_id: server.stream(name),
    name,
    description: `${name}の連絡`,
    rendered_description: `${name}の連絡`,
    date_created: Date.UTC(2026, 3, 1) / 1000,
    creator_id: server.user(inside.member),
    invite_only: name !== square,
    is_web_public: false,
    is_archived: false,
    stream_post_policy: 1,
    history_public_to_subscribers: name !== audit,
    message_retention_days: null,
    first_message_id: server.messages[streams.indexOf(name)] ?? null,
    stream_weekly_traffic: null,
    is_announcement_only: false,
    is_recently_active: true,
    can_remove_subscribers_group: 11,
    can_administer_channel_group: 11,
    can_send_message_group: 15,
    can_add_subscribers_group: 9,
    can_subscribe_group: 9,
    picture_url: null,
    ...change,
  };
}

/** A stream that has just been created, without a description. Its first message is the announcement of its creation. */
export function newStreamView(
  server: eg.Server,
  stream_id: number,
  creator: string,
  name: string,
  invite_only = false,
  first_message_id = server.messages.length + 1,
): Stream {
  return streamView(server, square, {
    stream_id,
    name,
    description: '',
    rendered_description: '',
    date_created: Math.floor(server.clock.now() / 1000),
    creator_id: server.user(creator),
    invite_only,
    first_message_id,
  });
}

export function subscriptionView(stream: Stream, color: unknown, subscribers: readonly number[]): object {
  return {
    ...stream,
    color,
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: false,
    audible_notifications: true,
    push_notifications: true,
    email_notifications: false,
    wildcard_mentions_notify: true,
    put_away: false,
    subscribers,
  };
}
