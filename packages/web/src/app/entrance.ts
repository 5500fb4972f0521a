/** The way in (R1.5): who is signed in, and signing in. What comes from the server is parsed here. */
import { errorAnswer } from '@engawa/protocol';
import { paths, session as sessionSchema, type Session } from '@engawa/protocol/product';
import type { Failure, Model } from '../model/view.ts';

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
  /** Goes in as whoever is signed in; in the fake mode as the default member, unless signed out on purpose. */
  open(): Promise<void>;
  signIn(email: string): Promise<Failure | undefined>;
  /** Leaves the house as it is, for a reload to open it anew as another member. */
  switchTo(email: string): Promise<Failure | undefined>;
}

type Answer = { readonly session: Session } | { readonly failure: Failure };

export function createEntrance({
  fetch,
  startModel,
  onSignedOut,
}: {
  readonly fetch: typeof globalThis.fetch;
  readonly startModel: (session: Session) => Model;
  readonly onSignedOut: () => void;
}): Entrance {
  const listeners = new Set<() => void>();
  let place: Place = { kind: 'opening' };

  const stand = (next: Place) => {
    place = next;
    for (const listener of listeners) listener();
  };

  const enter = (session: Session) => {
    const { member } = session;
    if (member) stand({ kind: 'inside', session, member, model: startModel(session) });
    else stand({ kind: 'outside', session });
  };

  const post = (email: string): Promise<Answer> =>
    ask(fetch, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    });

  const open = async () => {
    stand({ kind: 'opening' });
    const found = await ask(fetch, {});
    if ('failure' in found) {
      stand({ kind: 'failed', failure: found.failure });
      return;
    }
    const { member, auth_mode, signed_out, default_member } = found.session;
    if (signed_out) onSignedOut();
    if (member || auth_mode !== 'fake' || signed_out || default_member === null) {
      enter(found.session);
      return;
    }
    const signedIn = await post(default_member);
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
      const answer = await post(email);
      if ('failure' in answer) return answer.failure;
      enter(answer.session);
      return undefined;
    },
    switchTo: async (email) => {
      const answer = await post(email);
      return 'failure' in answer ? answer.failure : undefined;
    },
  };
}

async function ask(fetch: typeof globalThis.fetch, init: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(paths.session, { ...init, credentials: 'same-origin' });
  } catch {
    // fetch rejects for nothing else than a connection that failed.
    return { failure: { kind: 'network' } };
  }
  const body = await jsonOf(response);
  if (!response.ok) return { failure: failureOf(response, body) };
  const parsed = sessionSchema.safeParse(body);
  return parsed.success ? { session: parsed.data } : { failure: { kind: 'malformed' } };
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // Not JSON; the schemas will say so.
    return undefined;
  }
}

function failureOf(response: Response, body: unknown): Failure {
  if (response.status >= 500) return { kind: 'server' };
  if (response.status === 429) {
    return { kind: 'busy', retryAfterSeconds: Number(response.headers.get('Retry-After')) || 1 };
  }
  const parsed = errorAnswer.safeParse(body);
  if (!parsed.success) return { kind: 'malformed' };
  return { kind: 'refused', code: parsed.data.code, message: parsed.data.msg };
}
