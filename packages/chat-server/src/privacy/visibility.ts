import { type Audience, type AudienceSetting, audience } from '@engawa/protocol';
import { z } from 'zod';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { remembered } from '../events/batch.ts';
import type { Groups } from '../identity/groups.ts';
import { isGuest } from '../identity/member.ts';
import { defaults, settings } from '../settings/store.ts';
import { type Viewer, seenUsers, seesUser } from './seenUsers.ts';

/**
 * Decides whether a user exists for a viewer (`seenUsers.ts`), and whether the viewer is in the audience of the user's picture,
 * of their status, or of adding them to groups. Audiences hold for all roles. Each look-up is made once, so use one instance
 * for a whole call or delivery.
 */
export class Visibility {
  readonly #reader: Reader;
  readonly #groups: Groups;
  readonly #groupsOf = new Map<number, ReadonlySet<string>>();
  readonly #audiences: Map<string, Audience>;
  readonly #seen = new Map<string, boolean>();
  /** By viewer; undefined without `preload`. */
  #allSeen: Map<number, ReadonlySet<number> | 'everyone'> | undefined;
  /** The preloaded audiences, by setting and owner. An owner who is missing has the default audience. */
  readonly #preloaded = new Map<AudienceSetting, ReadonlyMap<number, Audience>>();

  /** @param audiences by setting and owner, if several instances share their look-ups. */
  constructor(reader: Reader, groups: Groups, audiences = new Map<string, Audience>()) {
    this.#reader = reader;
    this.#groups = groups;
    this.#audiences = audiences;
  }

  sees(viewer: Viewer, userId: number): boolean {
    if (!isGuest(viewer) || viewer.id === userId) return true;
    const all = this.#allSeen && remembered(this.#allSeen, viewer.id, () => seenUsers(this.#reader, viewer));
    if (all) return all === 'everyone' || all.has(userId);
    return remembered(this.#seen, `${viewer.id} ${userId}`, () => seesUser(this.#reader, viewer, userId));
  }

  canSee(setting: AudienceSetting, ownerId: number, viewer: Viewer): boolean {
    return this.sees(viewer, ownerId) && this.admits(this.#audienceOf(setting, ownerId), ownerId, viewer.id);
  }

  /** Like `canSee`, for many viewers of one user. */
  viewersOf(setting: AudienceSetting, ownerId: number): (viewer: Viewer) => boolean {
    const audience = this.#audienceOf(setting, ownerId);
    return (viewer) => this.sees(viewer, ownerId) && this.admits(audience, ownerId, viewer.id);
  }

  admits(audience: Audience, ownerId: number, viewerId: number): boolean {
    if (ownerId === viewerId) return true;
    switch (audience.audience) {
      case 'everyone':
        return true;
      case 'nobody':
        return false;
      case 'selected':
        return audience.user_ids.includes(viewerId) || this.#isInOneOf(audience.departments, viewerId);
    }
  }

  /** Whether the audience is everyone, which includes users who are not signed in. */
  isForEveryone(setting: AudienceSetting, ownerId: number): boolean {
    return this.#audienceOf(setting, ownerId).audience === 'everyone';
  }

  /** For calls about all users. */
  preload(setting: AudienceSetting): this {
    this.#allSeen = new Map();
    this.#preloaded.set(setting, settings.audiences(this.#reader, setting));
    return this;
  }

  #isInOneOf(groups: readonly string[], viewerId: number): boolean {
    if (groups.length === 0) return false;
    const own = remembered(this.#groupsOf, viewerId, () => this.#groups.audienceGroupsOf(viewerId));
    return groups.some((code) => own.has(code));
  }

  #audienceOf(setting: AudienceSetting, ownerId: number): Audience {
    const preloaded = this.#preloaded.get(setting);
    if (preloaded) return preloaded.get(ownerId) ?? defaults[setting];
    return remembered(this.#audiences, `${setting} ${ownerId}`, () => settings.get(this.#reader, ownerId, setting));
  }
}

/** @throws ChatError GROUP_NOT_WANTED with the ids of all users who do not allow the caller to add them to a group. */
export function requireGroupConsent(visibility: Visibility, caller: Viewer, userIds: readonly number[]): void {
  const unwilling = userIds.filter((id) => !visibility.canSee('groups_audience', id, caller));
  if (unwilling.length > 0) throw refused.groupNotWanted([...new Set(unwilling)]);
}

/** A change of the audience of a picture or status that itself stays the same. */
export const audienceChange = z.object({ before: audience, after: audience });
export type AudienceChange = z.output<typeof audienceChange>;

interface Change {
  readonly userId: number;
  readonly audience?: AudienceChange | undefined;
}

/** A change of the audience concerns those who gain or lose access, any other change those who see the picture or status now. */
export function receivesChange(visibility: Visibility, { userId, audience }: Change, viewer: Viewer, sees: boolean): boolean {
  if (!audience || !visibility.sees(viewer, userId)) return sees;
  return visibility.admits(audience.before, userId, viewer.id) !== visibility.admits(audience.after, userId, viewer.id);
}
