/** Typing (R2.20.2): shows which other members are typing, and reports the member's own typing. */
import { setTypingStatus } from '@engawa/client';
import { addressDirect, type KnownEvent, type ServerEvent } from '@engawa/protocol';
import { topic } from '../constants.ts';
import { conversationOf, directOf, isDirect, participantsIn, type ConversationKey } from '../streams/conversation.ts';
import { typingBecame } from './eventChanges.ts';
import type { ModelContext } from '../context.ts';
import type { TimelinesState } from './state.ts';

export interface Typing {
  receive(events: readonly ServerEvent[]): void;
  /** Reports that the member is typing in the conversation, or no longer is. */
  report(conversation: ConversationKey, writes: boolean): void;
}

export function createTyping({ connection, store, clock, judge, stop }: ModelContext<TimelinesState>): Typing {
  const ends = new Map<string, () => void>();
  let reported: { readonly conversation: ConversationKey; readonly at: number } | undefined;
  let stopIdling: (() => void) | undefined;
  let last: Promise<void> | undefined;

  stop.addEventListener('abort', () => {
    stopIdling?.();
    ends.forEach((callOff) => callOff());
  });

  function became(conversation: ConversationKey, userId: number, writes: boolean): void {
    const key = `${conversation} ${userId}`;
    ends.get(key)?.();
    ends.delete(key);
    // Expires by itself, because the other member's tab may be closed before it reports the end.
    if (writes)
      ends.set(
        key,
        clock.after(store.state().typingTimes.expires, () => became(conversation, userId, false)),
      );
    store.update((state) => typingBecame(state, conversation, userId, writes));
  }

  /** Sends one call after the other, because a `stop` that arrives before its `start` would have no effect. */
  function send(op: 'start' | 'stop', conversation: ConversationKey): void {
    const where = isDirect(conversation)
      ? { type: 'direct', to: addressDirect(participantsIn(conversation)) }
      : { type: 'stream', stream_id: conversation, topic };
    const earlier = last;
    last = (async () => {
      await earlier;
      try {
        if (!stop.aborted) await setTypingStatus(connection, { op, ...where }, { signal: stop, keepalive: true });
      } catch (error) {
        // Not retried, because the report would come too late.
        if (!stop.aborted) judge(error);
      }
    })();
  }

  function sendStop(): void {
    stopIdling?.();
    if (reported) send('stop', reported.conversation);
    reported = undefined;
  }

  function mayReport(conversation: ConversationKey): boolean {
    const { settings } = store.state();
    // R2.25.2: typing would reveal the hidden presence.
    if (settings.presence_enabled === false) return false;
    if (!isDirect(conversation)) return settings.send_stream_typing_notifications !== false;
    // Notes to oneself have no recipients.
    return settings.send_private_typing_notifications !== false && participantsIn(conversation).length > 1;
  }

  return {
    receive(events) {
      const { memberId } = store.state();
      for (const event of events) {
        if (event.type === 'typing' && event.sender.user_id !== memberId) {
          const conversation = placeOf(event);
          if (conversation !== undefined) became(conversation, event.sender.user_id, event.op === 'start');
        } else if (event.type === 'message') {
          const conversation = conversationOf(event.message);
          if (conversation !== undefined) became(conversation, event.message.sender_id, false);
        }
      }
    },

    report(conversation, writes) {
      if (reported && (!writes || reported.conversation !== conversation)) sendStop();
      if (!writes || !mayReport(conversation)) return;
      const { resent, idle } = store.state().typingTimes;
      stopIdling?.();
      stopIdling = clock.after(idle, sendStop);
      const now = clock.now();
      if (reported && now - reported.at < resent) return;
      reported = { conversation, at: now };
      send('start', conversation);
    },
  };
}

function placeOf({ stream_id, recipients }: Extract<KnownEvent, { type: 'typing' }>): ConversationKey | undefined {
  return recipients ? directOf(recipients.map(({ user_id }) => user_id)) : stream_id;
}
