import type { Audience, AudienceSetting } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { settings } from '../settings/store.ts';
import { defaults } from '../settings/defaults.ts';
import type { Groups } from '../identity/groups.ts';

/**
 * THE rule of who is in an audience, whatever their role: of whoever chose it, everybody, or those whom they selected.
 * The departments of a viewer are looked up once, so ask one of these for all of a call or of a commit.
 */
export class Sight {
  readonly #reader: Reader;
  readonly #groups: Groups;
  readonly #departments = new Map<number, ReadonlySet<string>>();
  readonly #chosen = new Map<string, Audience>();
  /** By setting: what everybody chose, where it was all looked up. Who is missing chose nothing. */
  readonly #ofAll = new Map<AudienceSetting, ReadonlyMap<number, Audience>>();

  constructor(reader: Reader, groups: Groups) {
    this.#reader = reader;
    this.#groups = groups;
  }

  /** Whether a member's picture, status, or being brought into a group, is open to another member. */
  isOpen(setting: AudienceSetting, ownerId: number, viewerId: number): boolean {
    if (ownerId === viewerId) return true;
    return this.admits(this.#audienceOf(setting, ownerId), ownerId, viewerId);
  }

  /** The same for an audience that may not be the chosen one any more. */
  admits(audience: Audience, ownerId: number, viewerId: number): boolean {
    if (ownerId === viewerId) return true;
    switch (audience.audience) {
      case 'everyone':
        return true;
      case 'nobody':
        return false;
      case 'selected':
        return audience.user_ids.includes(viewerId) || this.#isIn(audience.departments, viewerId);
    }
  }

  /** Whether something is open to everyone, also to those who are not signed in. */
  isOpenToAll(setting: AudienceSetting, ownerId: number): boolean {
    return this.#audienceOf(setting, ownerId).audience === 'everyone';
  }

  /** For all members at once: one look-up instead of one for each. */
  ofAll(setting: AudienceSetting): this {
    this.#ofAll.set(setting, settings.audiences(this.#reader, setting));
    return this;
  }

  #isIn(departments: readonly string[], viewerId: number): boolean {
    if (departments.length === 0) return false;
    const around = this.#departments.get(viewerId) ?? this.#groups.departmentsOf(viewerId);
    this.#departments.set(viewerId, around);
    return departments.some((code) => around.has(code));
  }

  #audienceOf(setting: AudienceSetting, ownerId: number): Audience {
    const all = this.#ofAll.get(setting);
    if (all) return all.get(ownerId) ?? defaults[setting];
    const key = `${setting} ${ownerId}`;
    const audience = this.#chosen.get(key) ?? settings.get(this.#reader, ownerId, setting);
    this.#chosen.set(key, audience);
    return audience;
  }
}
