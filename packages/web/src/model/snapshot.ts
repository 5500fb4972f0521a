import type { Registration } from '@engawa/client';
import {
  formerName,
  message,
  readReceiptsShown,
  subscription,
  user,
  type Message,
  type ReadReceiptsShown,
  type Subscription,
} from '@engawa/protocol';
import { z } from 'zod';
import type { Limits } from './rights.ts';
import type { State } from './state.ts';

/** What a tab begins with, whether it registered itself or was told by the tab that did. True at its cursor. */
export const snapshot = z.object({
  cursor: z.object({ queueId: z.string(), lastEventId: z.int() }),
  maxMessageId: z.int(),
  users: z.array(user),
  formerNames: z.array(formerName),
  subscriptions: z.array(subscription),
  /** The newest message of each stream that is known so far. */
  newest: z.array(message),
  /** Streams known to have none. */
  silent: z.array(z.int()),
  /** Whether others see what the member has read. */
  sendsReceipts: z.boolean().optional(),
  /** Of which messages the organisation shows who has read them. */
  receiptsShown: readReceiptsShown,
  unread: z.array(z.object({ streamId: z.int(), messageIds: z.array(z.int()) })),
  /** Those of the unread that call the member. */
  mentioned: z.array(z.int()),
  alertWords: z.array(z.string()),
  /** Seconds in which messages may be changed; null: always. */
  limits: z.object({ edit: z.int().nullable(), delete: z.int().nullable() }),
});
export type Snapshot = z.output<typeof snapshot>;

/** @param recent Newest messages of all streams, by rising id. */
export function snapshotOf(
  registration: Registration,
  subscriptions: readonly Subscription[],
  recent: readonly Message[],
): Snapshot {
  const { realm_users = [], realm_non_active_users = [], cross_realm_bots = [], unread_msgs, user_settings } = registration;
  const mine = new Set<number | undefined>(subscriptions.map(({ stream_id }) => stream_id));
  const newest = new Map(recent.filter((each) => mine.has(each.stream_id)).map((each) => [each.stream_id, each]));
  return {
    cursor: { queueId: registration.queue_id, lastEventId: registration.last_event_id },
    maxMessageId: Math.max(registration.max_message_id ?? 0, recent.at(-1)?.id ?? 0),
    users: [...realm_users, ...realm_non_active_users, ...cross_realm_bots],
    formerNames: registration.former_names ?? [],
    subscriptions: [...subscriptions],
    newest: [...newest.values()],
    silent: [],
    sendsReceipts: user_settings?.send_read_receipts,
    receiptsShown: receiptsShownOf(registration.realm_enable_read_receipts, registration.realm_read_receipts) ?? 'own',
    unread: (unread_msgs?.streams ?? []).map((topic) => ({
      streamId: topic.stream_id,
      messageIds: topic.unread_message_ids,
    })),
    mentioned: unread_msgs?.mentions ?? [],
    alertWords: registration.alert_words ?? [],
    limits: limitsOf(registration),
  };
}

/** What another tab needs to begin where this one stands; undefined before this one has begun. */
export function shared({ cursor, subscriptions, ...state }: State): Snapshot | undefined {
  if (!cursor || !subscriptions) return undefined;
  return {
    cursor,
    maxMessageId: state.maxMessageId,
    users: [...state.users.values()],
    formerNames: [...state.formerNames],
    subscriptions: [...subscriptions.values()],
    newest: [...state.newest.values()].filter((each) => each !== null),
    silent: [...state.newest].filter(([, each]) => each === null).map(([streamId]) => streamId),
    sendsReceipts: state.sendsReceipts,
    receiptsShown: state.receiptsShown,
    unread: [...state.unread].map(([streamId, ids]) => ({ streamId, messageIds: [...ids] })),
    mentioned: [...state.flagged.mentioned],
    alertWords: [...state.alertWords],
    limits: state.limits,
  };
}

/** Zulip says on or off; on is of one's own then, as where nothing is said. */
export function receiptsShownOf(on: boolean | undefined, shown: ReadReceiptsShown | undefined) {
  if (shown !== undefined || on === undefined) return shown;
  return on ? 'own' : 'none';
}

/** What the server does not say it does not limit. */
function limitsOf(registration: Registration): Limits {
  const { realm_message_content_edit_limit_seconds: edit = null, realm_allow_message_editing: editing } = registration;
  const { realm_message_content_delete_limit_seconds: deletion = null } = registration;
  return { edit: editing === false ? 0 : edit, delete: deletion };
}
