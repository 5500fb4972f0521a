import type { FleetingEvent } from '../events/ephemeral.ts';
import type { QueueOptions } from '../events/queues.ts';
import type { Shown } from './presence.ts';
import { clientView } from './view.ts';

interface Telling {
  readonly updateId: number;
  readonly userIds: readonly number[];
  /** Unix seconds, with a fraction. */
  readonly now: number;
  /** What is known of a user when it is heard; who is shown no longer by then is gone. */
  shown(userId: number): Shown;
  emailOf(userId: number): string | undefined;
  isShown(userId: number): boolean;
  /** Another number when somebody is shown no longer. */
  mark(): number;
}

/**
 * Who has come and gone, to everyone who shows it of themselves. Each of its three forms is written once for all, and
 * anew when somebody is shown no longer.
 */
export function presenceEvent({ updateId, userIds, now, shown: shownNow, emailOf, isShown, mark }: Telling): FleetingEvent {
  const written = new Map<string, readonly string[]>();
  let markWritten = mark();
  const write = (form: string): readonly string[] => {
    const told = userIds.map((userId) => [userId, shownNow(userId)] as const);
    if (form === 'all at once') return [JSON.stringify({ type: 'presence', presences: Object.fromEntries(told) })];
    return told.map(([user_id, shown]) =>
      JSON.stringify({
        type: 'presence',
        user_id,
        ...(form === 'slim' ? {} : { email: emailOf(user_id) }),
        server_timestamp: now,
        presence: { website: { ...clientView(shown), pushable: false } },
      }),
    );
  };
  return {
    type: 'presence',
    about: `presence ${updateId}`,
    userIds: 'everyone',
    hears: (_, { member }) => isShown(member.id),
    texts(options) {
      if (mark() !== markWritten) written.clear();
      markWritten = mark();
      const form = formFor(options);
      const texts = written.get(form) ?? write(form);
      written.set(form, texts);
      return texts;
    },
  };
}

function formFor({ simplified_presence_events: atOnce, slim_presence: slim }: QueueOptions): string {
  if (atOnce) return 'all at once';
  return slim ? 'slim' : 'legacy';
}
