/** The member's own profile (R4.12, R7.4). */
import { paths, profile, type Profile, type AvatarChoice } from '@engawa/protocol/product';
import { askProduct, type ProductCall } from '../connection/productCall.ts';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { profileLoaded, profileSaved } from './changes.ts';
import { profileFailed } from './loadChanges.ts';
import type { PeopleState } from './state.ts';

interface ProfileDraft {
  readonly name: string;
  readonly email: string;
  readonly location: string;
  /** An image, or the choice of a built-in picture or none. */
  readonly picture: AvatarChoice | Blob;
}

/** Milliseconds; uploading 5 MB takes long on a telephone. */
const saveTimeoutMilliseconds = 120_000;

export interface OwnProfile {
  loadProfile(): void;
  saveProfile(draft: ProfileDraft): Promise<Failure | undefined>;
}

export function createOwnProfile(context: ModelContext<PeopleState>): OwnProfile {
  const { store, retry, attempt } = context;
  let loading = false;
  /** Number of saves. The answer to a load that began before the last save is out of date. */
  let saves = 0;

  const call = async (details: Pick<ProductCall<Profile>, 'method' | 'body' | 'timeoutMilliseconds'>): Promise<Profile> =>
    (await askProduct(context, { ...details, path: paths.profile, answer: profile })).answer;

  async function load(): Promise<void> {
    loading = true;
    const savesBefore = saves;
    const loaded = await retry.until(
      () => call({ method: 'GET' }),
      (failure) => {
        store.update((state) => profileFailed(state, failure));
        return failure.kind !== 'signed-out';
      },
    );
    loading = false;
    if (loaded && savesBefore === saves) store.update((state) => profileLoaded(state, loaded));
  }

  return {
    loadProfile() {
      if (loading) retry.wake();
      else void load();
    },

    saveProfile: (draft) =>
      attempt(async () => {
        const saved = await call({ method: 'POST', body: formOf(draft), timeoutMilliseconds: saveTimeoutMilliseconds });
        saves += 1;
        store.update((state) => profileSaved(state, saved));
        return undefined;
      }),
  };
}

function formOf({ name, email, location, picture }: ProfileDraft): FormData {
  const form = new FormData();
  form.append('name', name);
  form.append('email', email);
  form.append('location', location);
  // Sent last, because a server that reads the form as a stream then knows the other fields before the image.
  if (picture instanceof Blob) form.append('image', picture);
  else form.append('avatar', picture);
  return form;
}
