import type { Bot, DirectoryChange, Role } from '@engawa/protocol';
import { z } from 'zod';
import type { Transaction } from '../database/index.ts';
import { isGainedLater } from '../conversations/sightChanges.ts';
import { refused } from '../errors.ts';
import { type DeliveryBatch, perEvent } from '../events/batch.ts';
import { type EventSerializer, type EventSerializers, serializeAsLogged } from '../events/delivery.ts';
import type { EventLog, EventRow } from '../events/log.ts';
import { isGuest } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';
import { profilesOf } from '../profileFields/view.ts';
import { seenAmong, unseenName } from '../privacy/seenUsers.ts';
import { type AudienceChange, type Visibility, audienceChange, receivesChange } from '../privacy/visibility.ts';
import { publishRoleMember } from '../userGroups/events.ts';
import { pictureView, userView } from './view.ts';

export function publishUser(tx: Transaction, log: EventLog, userId: number, change: Readonly<Record<string, unknown>>): void {
  log.append(tx, {
    type: 'realm_user',
    reach: 'everyone',
    payload: { op: 'update', person: { user_id: userId, ...change } },
  });
}

/** Guests receive it when they begin to share a conversation with the user (`conversations/sightChanges.ts`). */
export function publishNewUser(tx: Transaction, log: EventLog, userId: number, role: Role): void {
  log.append(tx, { type: 'realm_user', reach: 'members_without_guests', payload: { op: 'add', userId } });
  publishRoleMember(tx, log, 'add_members', userId, role);
}

/** `from`: the former owner. */
export const botChange = z.union([
  z.object({ op: z.literal('add'), userId: z.int() }),
  z.object({ op: z.literal('update'), userId: z.int(), fields: z.array(z.string()) }),
  z.object({ op: z.literal('transfer'), userId: z.int(), from: z.nullable(z.int()) }),
]);
export type BotChange = z.input<typeof botChange>;

/** For those who administer the bot. Nothing happens for a person. @param fields those of `Bot` that have changed. */
export function publishBot(
  tx: Transaction,
  log: EventLog,
  { id, is_bot: isBot }: Pick<UserRow, 'id' | 'is_bot'>,
  fields: readonly (keyof Bot)[] | 'new',
): void {
  if (!isBot) return;
  const change = fields === 'new' ? ({ op: 'add' } as const) : { op: 'update' as const, fields: [...fields] };
  log.append(tx, { type: 'realm_bot', reach: 'everyone', payload: { ...change, userId: id } satisfies BotChange });
}

/** The event has the picture at delivery. @param audience set if only that changed: then those who gain or lose access get it. */
export function publishPicture(tx: Transaction, log: EventLog, userId: number, audience?: AudienceChange): void {
  log.append(tx, { type: 'realm_user', reach: 'everyone', payload: { op: 'picture', userId, audience } });
}

export function publishDirectory(tx: Transaction, log: EventLog, { people, departments }: DirectoryChange): void {
  const user_ids = people?.map(({ user_id }) => user_id) ?? [];
  log.append(tx, { type: 'directory', reach: 'everyone', payload: { user_ids, people, departments } });
}

const userPayload = z.union([
  z.object({ op: z.enum(['add', 'remove']), userId: z.int() }),
  z.object({ op: z.literal('reload') }),
  z.object({ op: z.literal('picture'), userId: z.int(), audience: audienceChange.optional() }),
  z.looseObject({ op: z.literal('update'), person: z.looseObject({ user_id: z.int() }) }),
]);
const userChange = perEvent((event) => userPayload.parse(JSON.parse(event.payload)));

const directoryPayload = z.object({
  user_ids: z.array(z.int()),
  people: z.array(z.unknown()).optional(),
  departments: z.boolean().optional(),
});
const directoryChange = perEvent((event) => directoryPayload.parse(JSON.parse(event.payload)));

const serializeDirectory: EventSerializer = (event, queue, batch) => {
  if (!isGuest(queue.member)) return serializeAsLogged(event, queue, batch);
  const { user_ids: userIds, people, departments } = directoryChange(event, batch);
  const seen = seenAmong(batch.reader, queue.member, userIds);
  const user_ids = userIds.filter((id) => seen.has(id));
  // An entry names departments that the guest may not see, so their client fetches the directory if it changed for them.
  const isSame = people !== undefined && user_ids.length === 0;
  return JSON.stringify({ user_ids, people: isSame ? [] : undefined, departments, type: event.type, id: event.id });
};

export function userEvents(visibilityIn: (batch: DeliveryBatch) => Visibility): EventSerializers {
  const serializeUser: EventSerializer = (event, queue, batch) => {
    const payload = userChange(event, batch);
    // The guest gained or lost more users than a change reports (`mostSightChanges`), so their client must register again.
    if (payload.op === 'reload') throw refused.badEventQueue(queue.id);
    const { member } = queue;
    const visibility = visibilityIn(batch);
    const userId = payload.op === 'update' ? payload.person.user_id : payload.userId;
    if (isGainedLater(event, member, userId, batch)) return undefined;
    const isSeen = visibility.sees(member, userId);
    if (payload.op === 'remove') return isSeen ? undefined : serializeRemoval(event, userId, batch);
    const user = isSeen ? users.byId(batch.reader, userId) : undefined;
    if (!user) return undefined;
    if (payload.op === 'update') {
      // A guest may not see the owner, so guests get no owners.
      return isGuest(member) && 'bot_owner_id' in payload.person ? undefined : serializeAsLogged(event, queue, batch);
    }
    const seesPicture = visibility.canSee('photo_audience', userId, member);
    const write = (content: Readonly<Record<string, unknown>>) =>
      batch.shared(`${event.id} ${seesPicture} ${isGuest(member)}`, () =>
        JSON.stringify({ type: event.type, ...content, id: event.id }),
      );
    if (payload.op === 'add')
      return write({ op: 'add', person: userView(user, seesPicture, member, profilesOf(batch.reader, [user.id])) });
    if (!receivesChange(visibility, payload, member, seesPicture)) return undefined;
    const { avatar_url, avatar_version } = pictureView(user, seesPicture);
    const avatar_source = avatar_url === null ? 'G' : 'U';
    const picture = { avatar_url, avatar_url_medium: avatar_url, avatar_source, avatar_version };
    return write({ op: 'update', person: { user_id: user.id, ...picture } });
  };
  return [
    ['realm_user', serializeUser],
    ['directory', serializeDirectory],
  ];
}

function serializeRemoval(event: EventRow, user_id: number, batch: DeliveryBatch): string {
  const person = { user_id, full_name: unseenName };
  return batch.shared(`${event.id}`, () => JSON.stringify({ type: event.type, op: 'remove', person, id: event.id }));
}
