/** Predicts what the member may do with a message. Pure functions; the server decides. */
import { parseFileMessage, roles, type Message, type User } from '@engawa/protocol';
import { isAdministrator } from '../people/roles.ts';

export interface Rights {
  readonly edit: boolean;
  readonly delete: boolean;
}

/** Seconds after the send in which a message may be edited or deleted; null: no limit. */
export interface Limits {
  readonly edit: number | null;
  readonly delete: number | null;
  /** False if nobody may edit messages. */
  readonly editing?: boolean | undefined;
  /** Zulip's policy of the users that may delete their messages; undefined: everyone. */
  readonly ownDeletion?: number | undefined;
}

/** The policies `realm_delete_own_message_policy` of Zulip that exclude members, and the least role that they ask for. */
const rolesThatDelete: Readonly<Record<number, number | undefined>> = {
  1: roles.member,
  2: roles.administrator,
  /** Full members: the server knows who has been there long enough. */
  3: roles.member,
  4: roles.moderator,
};

/** @param now Unix seconds. */
export function rightsOver(
  message: Message,
  me: Pick<User, 'user_id' | 'role'> | undefined,
  limits: Limits,
  now: number,
): Rights {
  if (!me || message.deleted) return { edit: false, delete: false };
  const isOwn = message.sender_id === me.user_id && !message.notice;
  const within = (limit: number | null) => limit === null || now <= message.timestamp + limit;
  return {
    edit: isOwn && limits.editing !== false && !message.call && within(limits.edit) && !parseFileMessage(message.content),
    delete: isAdministrator(me) || (isOwn && mayDeleteOwn(me, limits) && within(limits.delete)),
  };
}

function mayDeleteOwn({ role }: Pick<User, 'role'>, { ownDeletion }: Limits): boolean {
  return role <= ((ownDeletion === undefined ? undefined : rolesThatDelete[ownDeletion]) ?? roles.guest);
}

/** Seconds for which the member may still edit their message; undefined if there is no limit. */
export function secondsToEdit({ timestamp }: Message, { edit }: Limits, now: number): number | undefined {
  return edit === null ? undefined : Math.max(0, timestamp + edit - now);
}
