/** Loads and saves the member's own profile (R4.12, R7.4). */
import { exchange, MalformedAnswerError, readReply, type Connection } from '@engawa/client';
import { paths, profile, type Profile, type AvatarChoice } from '@engawa/protocol/product';
import type { Environment } from '../environment.ts';
import { profileFailed, profileLoaded, profileSaved } from './changes.ts';
import type { Retry } from '../connection/retry.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { PeopleState } from './state.ts';

/** The profile to save. */
export interface ProfileDraft {
  readonly name: string;
  readonly email: string;
  readonly location: string;
  /** An image, or the change of the picture without one. */
  readonly picture: AvatarChoice | Blob;
}

const timeoutMilliseconds = 30_000;
/** Milliseconds; uploading 5 MB takes long on a telephone. */
const saveTimeoutMilliseconds = 120_000;

export interface OwnProfile {
  load(): void;
  save(draft: ProfileDraft): Promise<Failure | undefined>;
}

export interface OwnProfileOptions {
  readonly connection: Connection;
  readonly store: Store<PeopleState>;
  readonly environment: Pick<Environment, 'site' | 'fetch' | 'clock'>;
  readonly retry: Retry;
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createOwnProfile({ connection, store, environment, retry, judge, stop }: OwnProfileOptions): OwnProfile {
  let loading = false;
  /** Number of saves; a load that began before the last one is stale. */
  let saves = 0;

  async function call(init: RequestInit & { readonly method: string }, within: number): Promise<Profile> {
    const { site, fetch, clock } = environment;
    const name = `${init.method} ${paths.profile}`;
    const request = { ...init, credentials: 'same-origin', headers: connection.headers } as const;
    const url = site + paths.profile;
    const limits = { timeoutMilliseconds: within, signal: stop };
    const reply = await exchange({ call: name, url, init: request, fetch, clock, ...limits });
    const answer = profile.safeParse(readReply(reply, clock));
    if (answer.success) return answer.data;
    throw new MalformedAnswerError(reply.status, `${name}: the answer is not a profile`, answer.error);
  }

  async function load(): Promise<void> {
    loading = true;
    const savesBefore = saves;
    const loaded = await retry.until(
      () => call({ method: 'GET' }, timeoutMilliseconds),
      (failure) => {
        store.update((state) => profileFailed(state, failure));
        return failure.kind !== 'signed-out';
      },
    );
    loading = false;
    if (loaded && savesBefore === saves) store.update((state) => profileLoaded(state, loaded));
  }

  return {
    load() {
      if (loading) retry.wake();
      else void load();
    },

    async save(draft) {
      try {
        const saved = await call({ method: 'POST', body: formOf(draft) }, saveTimeoutMilliseconds);
        saves += 1;
        store.update((state) => profileSaved(state, saved));
        return undefined;
      } catch (error) {
        // The model has stopped; the result is not used.
        if (stop.aborted) return undefined;
        return judge(error);
      }
    },
  };
}

function formOf({ name, email, location, picture }: ProfileDraft): FormData {
  const form = new FormData();
  form.append('name', name);
  form.append('email', email);
  form.append('location', location);
  // The image goes last, so that a streaming server knows the other fields before it.
  if (picture instanceof Blob) form.append('image', picture);
  else form.append('avatar', picture);
  return form;
}
