/** Complete answers of a server, with all fields that the schemas know. */
import type { Message, RealmEmoji, Stream, Subscription, User } from '@engawa/protocol';

export const tanaka: User = {
  user_id: 7,
  email: 'tanaka@engawa.example',
  delivery_email: null,
  full_name: '田中 翔',
  date_joined: '2026-04-01T00:00:00+00:00',
  is_active: true,
  role: 400,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  timezone: 'Asia/Tokyo',
  avatar_url: null,
  avatar_version: 1,
};

export const development: Stream = {
  stream_id: 3,
  name: '開発本部',
  description: '開発本部の連絡',
  rendered_description: '<p>開発本部の連絡</p>',
  date_created: 1_790_000_000,
  creator_id: 7,
  invite_only: true,
  is_web_public: false,
  history_public_to_subscribers: true,
  message_retention_days: null,
  first_message_id: 40,
  stream_weekly_traffic: null,
};

export const subscribedDevelopment: Subscription = {
  ...development,
  color: '#76ce90',
  is_muted: false,
  pin_to_top: false,
  subscribers: [7, 9],
};

export const greeting: Message = {
  id: 41,
  type: 'stream',
  sender_id: 7,
  sender_email: 'tanaka@engawa.example',
  sender_full_name: '田中 翔',
  sender_realm_str: '',
  avatar_url: null,
  client: 'website',
  timestamp: 1_790_000_000,
  content: 'お疲れさまです',
  content_type: 'text/x-markdown',
  is_me_message: false,
  recipient_id: 3,
  display_recipient: '開発本部',
  stream_id: 3,
  subject: 'stream events',
  topic_links: [],
  reactions: [{ emoji_name: 'tea', emoji_code: '1f375', reaction_type: 'unicode_emoji', user_id: 9 }],
  submessages: [],
  flags: ['read'],
};

export const engawaEmoji: RealmEmoji = {
  id: '1',
  name: 'engawa',
  source_url: '/emoji/1.png',
  still_url: null,
  deactivated: false,
  author_id: 7,
};
