/** A larger organisation: everyone of every rank outside of three streams, some inside, and one who has left. */
import { roles, unsubscribe } from '@engawa/protocol';
import * as eg from './eg.ts';

/** Public; private, with a history that newcomers read; private, with one that they do not. */
export const square = '広場';
export const sales = '営業部';
export const audit = '監査';
export const streams = [square, sales, audit];

/** Outside of the streams, by rank. */
export const outside = {
  owner: 'tanaka',
  administrator: 'sato',
  moderator: 'kato',
  member: 'suzuki',
  guest: 'takahashi',
} as const;
/** Inside of each. */
export const inside = { member: 'ito', guest: 'mori' } as const;
/** Was inside of each when `said` was said, and left. */
export const leaver = 'yamada';
/** What was said in each stream. */
export const said = '縁側にて';

export const everyone = [...Object.values(outside), ...Object.values(inside), leaver];

const usual = eg.organisation();
const [private_] = usual.streams;

function stream(name: string, change: { invite_only: boolean; history_public_to_subscribers: boolean }) {
  if (!private_) throw new Error('this organisation needs a stream to begin with');
  const subscribers = [...Object.values(inside), leaver].map(eg.emailOf);
  return { ...private_, name, description: `${name}の連絡`, creator: eg.emailOf('ito'), subscribers, ...change };
}

const organisation = eg.organisation({
  users: [
    ...usual.users,
    eg.person('kato', '加藤 直樹', roles.moderator),
    eg.person('mori', '森 さくら', roles.guest),
    eg.person('yamada', '山田 健', roles.member),
  ],
  streams: [
    stream(square, { invite_only: false, history_public_to_subscribers: true }),
    stream(sales, { invite_only: true, history_public_to_subscribers: true }),
    stream(audit, { invite_only: true, history_public_to_subscribers: false }),
  ],
  messages: streams.map((name) => eg.said(said, { by: 'ito', stream: name })),
});

export async function company(): Promise<eg.Server> {
  const server = await eg.server({ organisation });
  await eg.signIn(server, leaver).ok(unsubscribe, { subscriptions: streams });
  return server;
}
