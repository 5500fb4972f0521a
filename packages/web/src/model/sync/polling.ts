import {
  callOf,
  callOnEachBatch,
  CallError,
  deleteQueue,
  getMessages,
  getSubscriptions,
  type Batch,
  type EventLoop,
} from '@engawa/client';
import { endpoint, registrationSnapshot, snapshotParameters, type EventType, type RegistrationSnapshot } from '@engawa/protocol';
import type { ModelContext } from '../context.ts';
import type { State } from '../state.ts';
import { snapshotOf, type Snapshot } from './snapshot.ts';

const eventTypes: readonly EventType[] = [
  'message',
  'update_message',
  'delete_message',
  'update_message_flags',
  'reaction',
  'subscription',
  'stream',
  'realm_user',
  'user_group',
  'realm_emoji',
  'alert_words',
  'user_topic',
  'drafts',
  'user_settings',
  'realm',
  'typing',
  'presence',
  'user_status',
  'directory',
  'call',
];

const registration = {
  fetch_event_types: [
    'message',
    'update_message_flags',
    'recent_private_conversations',
    'realm_user',
    'realm_user_groups',
    'realm_emoji',
    'realm',
    'alert_words',
    'user_topic',
    'drafts',
    'user_settings',
    'presence',
    'user_status',
  ],
  apply_markdown: false,
  client_gravatar: false,
  slim_presence: true,
  client_capabilities: {
    stream_typing_notifications: true,
    simplified_presence_events: true,
    // Zulip before feature level 226 refuses a register without these two.
    notification_settings_null: true,
    bulk_message_deletion: true,
  },
};

/** `registerQueue` would load three times as many schemas. */
const register = callOf(endpoint('POST', '/register', { parameters: snapshotParameters, answer: registrationSnapshot }));

/** Number of newest messages of all streams together. They say which stream is newest, and give most previews. */
const recentMessages = 100;

interface PollingOptions {
  readonly onSnapshot: (snapshot: Snapshot) => void;
  /** Awaited before each poll, for what events need. It fails as a call does. */
  readonly ready: () => Promise<void>;
  readonly onBatch: (batch: Batch) => void;
  readonly onFailure: (error: CallError) => void;
  readonly onSignedOut: () => void;
  readonly signal: AbortSignal;
}

export function poll(context: ModelContext<State>, options: PollingOptions): EventLoop {
  const { connection, store, environment } = context;
  const { onSnapshot, ready, onBatch, onFailure, onSignedOut, signal } = options;
  const { clock, random, log } = environment;
  const { memberId, cursor: resume } = store.state();
  return callOnEachBatch(connection, onBatch, {
    eventTypes,
    registration,
    register,
    resume,
    pause: 'after-empty-or-failed',
    recover: true,
    async onRegister(registered) {
      // In another tab, another member has signed in with this browser.
      if (memberId === undefined || (registered.user_id ?? memberId) !== memberId) onSignedOut();
      else onSnapshot(await fetchSnapshot(context, registered, memberId, signal));
    },
    ready,
    onFailure,
    onSignedOut,
    signal,
    clock,
    random,
    log,
  });
}

async function fetchSnapshot(
  { connection, capabilities, clock }: ModelContext<State>,
  registered: RegistrationSnapshot,
  memberId: number,
  signal: AbortSignal,
): Promise<Snapshot> {
  const recent = {
    anchor: 'newest',
    num_before: recentMessages,
    num_after: 0,
    apply_markdown: false,
    client_gravatar: false,
    ...(capabilities.includes('include_deleted') ? { include_deleted: true } : {}),
  };
  const [{ subscriptions }, { messages }] = await Promise.all([
    getSubscriptions(connection, { include_subscribers: true }, { signal }),
    getMessages(connection, recent, { signal }),
  ]);
  return snapshotOf(registered, subscriptions, messages, memberId, clock.now() / 1000);
}

export async function releaseQueue({ connection, store, environment }: ModelContext<State>): Promise<void> {
  const { cursor } = store.state();
  if (!cursor) return;
  try {
    await deleteQueue(connection, { queue_id: cursor.queueId });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // Not retried, because the server deletes an unused queue after ten minutes.
    environment.log('queue_delete_failed', error);
  }
}
