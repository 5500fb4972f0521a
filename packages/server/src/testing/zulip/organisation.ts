import type { Organisation } from '@engawa/chat-server';
import { demoOrganisation } from '../../demo/organisation.ts';

export const host = 'zulip.example';

/** The address that answers show: a member signs in with another one, which only they see. */
export const shownAddress = (userId: number): string => `user${userId}@${host}`;

/** The demo organisation as it would be at a Zulip: with shown addresses, and with pictures below `/user_avatars`. */
export function zulipOrganisation(now: number): { readonly organisation: Organisation; readonly addresses: readonly string[] } {
  const { organisation } = demoOrganisation(now);
  const addresses = organisation.users.map(({ email }) => email);
  const shown = (address: string) => shownAddress(addresses.indexOf(address) + 1);
  return {
    addresses,
    organisation: {
      ...organisation,
      readReceipts: 'all',
      emoji: [{ name: 'engawa', source_url: '/user_avatars/2/emoji/images/1.png', author: shownAddress(6), deactivated: false }],
      linkifiers: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }],
      users: organisation.users.map((user) => ({
        ...user,
        email: shown(user.email),
        avatar_url: user.avatar_url === null ? null : avatarPath(addresses.indexOf(user.email) + 1),
      })),
      streams: organisation.streams.map((stream) => ({
        ...stream,
        creator: shown(stream.creator),
        subscribers: stream.subscribers.map(shown),
      })),
      messages: organisation.messages.map((message) => ({ ...message, sender: shown(message.sender) })),
      unread: organisation.unread.map((unread) => ({ ...unread, email: shown(unread.email) })),
      directs: (organisation.directs ?? []).map((direct) => ({
        participants: direct.participants.map(shown),
        messages: direct.messages.map((message) => ({ ...message, sender: shown(message.sender) })),
        unread: direct.unread.map((unread) => ({ ...unread, email: shown(unread.email) })),
      })),
    },
  };
}

export const avatarPath = (userId: number): string => `/user_avatars/2/${String(userId).padStart(40, '0')}.png?version=2`;
