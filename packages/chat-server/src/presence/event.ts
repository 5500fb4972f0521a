import { remembered } from '../events/batch.ts';
import type { EphemeralEvent } from '../events/ephemeral.ts';
import type { QueueOptions } from '../events/queues.ts';
import type { PresenceTimes } from './presence.ts';
import { clientView } from './view.ts';

interface Update {
  readonly updateId: number;
  readonly userIds: readonly number[];
  /** Unix seconds, with a fraction. */
  readonly now: number;
  /** The times at delivery; zeros for a member who no longer shows them. */
  timesOf(userId: number): PresenceTimes;
  emailOf(userId: number): string | undefined;
  isShown(userId: number): boolean;
  /** Rises when a member stops showing their presence. */
  version(): number;
}

/** For everyone who shows their presence. Each form is serialised once, and again after a member stopped showing theirs. */
export function presenceEvent({ updateId, userIds, now, timesOf, emailOf, isShown, version }: Update): EphemeralEvent {
  const written = new Map<string, readonly string[]>();
  let writtenVersion = version();
  const write = (form: string): readonly string[] => {
    const presences = userIds.map((userId) => [userId, timesOf(userId)] as const);
    if (form === 'simplified') return [JSON.stringify({ type: 'presence', presences: Object.fromEntries(presences) })];
    return presences.map(([user_id, times]) =>
      JSON.stringify({
        type: 'presence',
        user_id,
        ...(form === 'slim' ? {} : { email: emailOf(user_id) }),
        server_timestamp: now,
        presence: { website: { ...clientView(times), pushable: false } },
      }),
    );
  };
  return {
    type: 'presence',
    key: `presence ${updateId}`,
    userIds: 'everyone',
    receives: (_, { member }) => isShown(member.id),
    texts(options) {
      if (version() !== writtenVersion) written.clear();
      writtenVersion = version();
      const form = formFor(options);
      return remembered(written, form, () => write(form));
    },
  };
}

function formFor({ simplified_presence_events: isSimplified, slim_presence: isSlim }: QueueOptions): string {
  if (isSimplified) return 'simplified';
  return isSlim ? 'slim' : 'legacy';
}
