/** The members and streams of the tests' organisation, with the ids that the chat server gives them. */
import type { Capability } from '@engawa/protocol/product';
import { roles, type Message, type Subscription, type User } from '@engawa/protocol';
import type { Session } from '@engawa/protocol/product';

export const ai = user(1, 'ai', '田中 愛');
export const ken = user(2, 'ken', '石川 健');
export const mai = user(3, 'mai', '佐藤 舞');
export const general = stream(1, '全社アナウンス');
export const design = stream(2, 'デザイン室');
export const lunch = stream(3, 'ランチ');

/** Streams that 田中 愛 has not joined: the first is public, the second private. */
export const open = stream(4, '社内公開');
export const closed = stream(5, '役員会');

function user(userId: number, name: string, fullName: string): User {
  return {
    user_id: userId,
    email: `${name}@example.com`,
    full_name: fullName,
    date_joined: '2026-04-01T00:00:00Z',
    role: roles.member,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    timezone: 'Asia/Tokyo',
    avatar_url: `/avatars/${name}.png`,
    avatar_version: 1,
  };
}

function stream(streamId: number, name: string): Subscription {
  return {
    stream_id: streamId,
    name,
    description: `${name}の部屋`,
    rendered_description: '',
    date_created: 1_700_000_000,
    invite_only: true,
    is_web_public: false,
    history_public_to_subscribers: true,
    first_message_id: null,
    color: '#76ce90',
    is_muted: false,
    pin_to_top: false,
    subscribers: [1, 2],
  };
}

export function messageOf(
  id: number,
  sender: User,
  { stream_id, name }: Pick<Subscription, 'stream_id' | 'name'>,
  content: string,
  subject = 'stream events',
): Message {
  return {
    id,
    type: 'stream',
    sender_id: sender.user_id,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_realm_str: '',
    avatar_url: sender.avatar_url ?? null,
    client: 'website',
    timestamp: 1_700_000_000 + id,
    content,
    content_type: 'text/x-markdown',
    is_me_message: false,
    recipient_id: stream_id,
    display_recipient: name,
    stream_id,
    subject,
    topic_links: [],
    reactions: [],
    submessages: [],
  };
}

/** A direct message among these users. */
export function directMessageOf(id: number, sender: User, people: readonly User[], content: string): Message {
  const { stream_id: _, ...message } = messageOf(id, sender, general, content, '');
  const recipients = people.map(({ user_id, email, full_name }) => ({ id: user_id, email, full_name, is_mirror_dummy: false }));
  return { ...message, type: 'private', display_recipient: recipients };
}

export function sessionOf(member: User | undefined, capabilities: readonly Capability[]): Session {
  return {
    auth_mode: 'fake',
    member: member ? { user_id: member.user_id, email: member.email, full_name: member.full_name } : null,
    signed_out: false,
    setup_needed: false,
    organisation: '株式会社 縁側',
    mail: false,
    calls: true,
    default_member: null,
    candidates: [],
    fake_sign_in_exposed: false,
    max_file_size: 1000,
    capabilities: [...capabilities],
  };
}
