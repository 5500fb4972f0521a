/** The way in (R1.5): who is signed in, and signing in. What comes from the server is parsed here. */
import { ApiError, exchange, readReply, systemClock, type Clock, type Fetch } from '@engawa/client';
import { paths, session as sessionSchema, type Session } from '@engawa/protocol/product';
import { z } from 'zod';
import { failureOf } from '../model/failure.ts';
import type { Failure, Model } from '../model/view.ts';
import type { LastMember } from './lastMember.ts';

export type Place =
  | { readonly kind: 'opening' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Nobody is signed in: the members to pick from. */
  | { readonly kind: 'outside'; readonly session: Session }
  | {
      readonly kind: 'inside';
      readonly session: Session;
      readonly member: NonNullable<Session['member']>;
      readonly model: Model;
    };

export interface Entrance {
  subscribe(listener: () => void): () => void;
  place(): Place;
  /**
   * Goes in as whoever is signed in. In the fake mode the first visitor of all goes in as the default member; whoever has
   * been here before, and whose session has ended, is asked who they are.
   */
  open(): Promise<void>;
  signIn(email: string): Promise<Failure | undefined>;
  /** Leaves the house as it is, for a reload to open it anew as another member. */
  switchTo(email: string): Promise<Failure | undefined>;
}

export interface EntranceOptions {
  readonly fetch: Fetch;
  readonly clock?: Clock;
  /** The entrances of all tabs of this browser: they have one session together. */
  readonly channel: BroadcastChannel;
  readonly lastMember: LastMember;
  readonly startModel: (session: Session) => Model;
  /** The member has signed out on purpose, in whichever tab. Undefined where nobody knows who it was. */
  readonly onSignedOut: (userId: number | undefined) => void;
  /** Opens the page anew, so that nothing stays on the screen of a member who has signed out. */
  readonly leave: () => void;
}

const timeoutMilliseconds = 30_000;

/** What tabs say to each other: whose the browser's session is now; nobody's when the member has signed out. */
const news = z.object({ member: z.int().nullable() });

type Answer = { readonly session: Session } | { readonly failure: Failure };

export function createEntrance(options: EntranceOptions): Entrance {
  const { channel, lastMember, startModel, onSignedOut, leave } = options;
  const listeners = new Set<() => void>();
  let place: Place = { kind: 'opening' };

  const stand = (next: Place) => {
    place = next;
    for (const listener of listeners) listener();
  };

  const post = channel.postMessage.bind(channel);
  const tell = (member: number | null) => post({ member } satisfies z.output<typeof news>);

  channel.addEventListener('message', ({ data }) => {
    const heard = news.safeParse(data).data;
    if (!heard) return;
    if (heard.member === null) onSignedOut(lastMember.get());
    if (place.kind !== 'inside' || place.member.user_id === heard.member) return;
    place.model.signOut();
    if (heard.member === null) leave();
  });

  const enter = (session: Session) => {
    const { member } = session;
    if (!member) return stand({ kind: 'outside', session });
    lastMember.remember(member.user_id);
    return stand({ kind: 'inside', session, member, model: startModel(session) });
  };

  const signIn = async (email: string): Promise<Answer> => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await ask(options, { method: 'POST', headers, body: JSON.stringify({ email }) });
    if ('session' in answer) tell(answer.session.member?.user_id ?? null);
    return answer;
  };

  const open = async () => {
    stand({ kind: 'opening' });
    const found = await ask(options, { method: 'GET' });
    if ('failure' in found) {
      stand({ kind: 'failed', failure: found.failure });
      return;
    }
    const { member, auth_mode, signed_out, default_member } = found.session;
    if (signed_out) {
      onSignedOut(lastMember.get());
      // However the member has signed out, the way leads through here.
      tell(null);
    }
    const isFirstVisit = !signed_out && lastMember.get() === undefined;
    if (member || auth_mode !== 'fake' || !isFirstVisit || default_member === null) {
      enter(found.session);
      return;
    }
    const signedIn = await signIn(default_member);
    if ('failure' in signedIn) stand({ kind: 'failed', failure: signedIn.failure });
    else enter(signedIn.session);
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    place: () => place,
    open,
    signIn: async (email) => {
      const answer = await signIn(email);
      if ('failure' in answer) return answer.failure;
      enter(answer.session);
      return undefined;
    },
    switchTo: async (email) => {
      const answer = await signIn(email);
      return 'failure' in answer ? answer.failure : undefined;
    },
  };
}

async function ask(
  { fetch, clock = systemClock }: Pick<EntranceOptions, 'fetch' | 'clock'>,
  init: RequestInit & { readonly method: string },
): Promise<Answer> {
  const call = `${init.method} ${paths.session}`;
  const request = { url: paths.session, init: { ...init, credentials: 'same-origin' } } as const;
  try {
    const reply = await exchange({ call, ...request, fetch, clock, timeoutMilliseconds });
    const parsed = sessionSchema.safeParse(readReply(reply));
    return parsed.success ? { session: parsed.data } : { failure: { kind: 'malformed' } };
  } catch (error) {
    return { failure: failureToEnter(error) };
  }
}

/** A 401 here ends no session: it says that nobody may come in by that name. */
function failureToEnter(error: unknown): Failure {
  const failure = failureOf(error);
  if (failure.kind !== 'signed-out' || !(error instanceof ApiError)) return failure;
  return { kind: 'refused', code: error.code, message: error.message };
}
