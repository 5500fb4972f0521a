/** Predicts what the member may do with a message. Pure functions; the server decides. */
import type { Message, User } from '@engawa/protocol';
import { parseFileMessage } from '@engawa/protocol';
import { isAdministrator } from '../people/roles.ts';

export interface Rights {
  readonly edit: boolean;
  readonly delete: boolean;
}

/** Seconds after the send in which a message may be edited or deleted; null: no limit. */
export interface Limits {
  readonly edit: number | null;
  readonly delete: number | null;
}

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
    edit: isOwn && !message.call && within(limits.edit) && !parseFileMessage(message.content),
    delete: isAdministrator(me) || (isOwn && within(limits.delete)),
  };
}

/** Seconds for which the member may still edit their message; undefined if there is no limit. */
export function secondsToEdit({ timestamp }: Message, { edit }: Limits, now: number): number | undefined {
  return edit === null ? undefined : Math.max(0, timestamp + edit - now);
}
