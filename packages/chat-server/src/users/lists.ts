import { type Audience, roles } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { WrittenField } from '../http/router.ts';
import { formerNames } from '../identity/formerNames.ts';
import type { Groups } from '../identity/groups.ts';
import { isGuest } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';
import { type ProfilesOf, noProfiles, profilesOf } from '../profileFields/view.ts';
import type { Viewer } from '../privacy/seenUsers.ts';
import { Visibility } from '../privacy/visibility.ts';
import { settings } from '../settings/store.ts';
import { type StepClock, type Steps, mostTogether } from '../turns.ts';
import { listedUserView } from './view.ts';

/** A user whose picture only some members see. */
interface Restricted {
  readonly user: UserRow;
  readonly audience: Audience;
}

/** A list of users in order. Bytes are the JSON of consecutive users whom all members see alike, each after a comma. */
type SharedList = readonly (Uint8Array | Restricted)[];

interface SharedLists {
  readonly version: number;
  readonly active: SharedList;
  readonly inactive: SharedList;
}

/** The users in the answer of register. They are serialised once for all members except guests, who see only some of them. */
export class UserLists {
  readonly #groups: Groups;
  #shared: SharedLists | undefined;

  constructor(groups: Groups) {
    this.#groups = groups;
  }

  *seenBy(reader: Reader, viewer: Viewer, clock: StepClock) {
    yield* clock.pause();
    const visibility = new Visibility(reader, this.#groups);
    const lists = isGuest(viewer)
      ? yield* listsFor(reader, viewer, visibility.preload('photo_audience'), clock)
      : writtenFor(reader, viewer, visibility, yield* this.#current(reader, clock));
    return {
      ...lists,
      cross_realm_bots: [],
      former_names: formerNames.all(reader).filter(({ user_id }) => visibility.sees(viewer, user_id)),
    };
  }

  *#current(reader: Reader, clock: StepClock): Steps<SharedLists> {
    const version = users.version(reader);
    if (this.#shared?.version === version) return this.#shared;
    const audiences = settings.audiences(reader, 'photo_audience');
    const [active, inactive] = [new ListWriter(), new ListWriter()];
    for (const page of users.pages(reader, mostTogether)) {
      const profiles = profilesOf(reader, idsOf(page));
      for (const user of page) (user.is_active ? active : inactive).add(user, audiences.get(user.id), profiles);
      yield* clock.pause();
    }
    return (this.#shared = { version, active: active.end(), inactive: inactive.end() });
  }
}

export const idsOf = (list: readonly UserRow[]): number[] => list.map(({ id }) => id);

/** Everyone but guests sees the shared lists. */
const wholeViewer = { role: roles.member };

class ListWriter {
  readonly #list: (Uint8Array | Restricted)[] = [];
  #texts: string[] = [];

  add(user: UserRow, audience: Audience | undefined, profiles: ProfilesOf): void {
    if (audience && audience.audience !== 'everyone') {
      this.#flush();
      this.#list.push({ user, audience });
    } else {
      this.#texts.push(`,${JSON.stringify(listedUserView(user, true, wholeViewer, profiles))}`);
    }
  }

  end(): SharedList {
    this.#flush();
    return this.#list;
  }

  #flush(): void {
    if (this.#texts.length > 0) this.#list.push(Buffer.from(this.#texts.join('')));
    this.#texts = [];
  }
}

function writtenFor(reader: Reader, viewer: Viewer, visibility: Visibility, { active, inactive }: SharedLists) {
  const restricted = [...active, ...inactive].flatMap((part) => (part instanceof Uint8Array ? [] : part.user.id));
  const profiles = restricted.length === 0 ? noProfiles : profilesOf(reader, restricted);
  const write = (list: SharedList) => {
    const [first, ...others] = list.map((part) => {
      if (part instanceof Uint8Array) return part;
      const { user, audience } = part;
      return Buffer.from(
        `,${JSON.stringify(listedUserView(user, visibility.admits(audience, user.id, viewer.id), viewer, profiles))}`,
      );
    });
    // The first user has no comma before it.
    return new WrittenField([Buffer.from('['), ...(first ? [first.subarray(1), ...others] : []), Buffer.from(']')]);
  };
  return { realm_users: write(active), realm_non_active_users: write(inactive) };
}

function* listsFor(reader: Reader, viewer: Viewer, visibility: Visibility, clock: StepClock) {
  const seen: UserRow[] = [];
  for (const page of users.pages(reader, mostTogether)) {
    seen.push(...page.filter(({ id }) => visibility.sees(viewer, id)));
    yield* clock.pause();
  }
  const profiles = profilesOf(reader, idsOf(seen));
  const view = (user: UserRow) => listedUserView(user, visibility.canSee('photo_audience', user.id, viewer), viewer, profiles);
  return {
    realm_users: seen.filter((user) => user.is_active).map(view),
    realm_non_active_users: seen.filter((user) => !user.is_active).map(view),
  };
}
