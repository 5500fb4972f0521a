/** Who is writing (R2.20.2): others, for as long as it is true; and the member, as the others are told. */
import { setTypingStatus, type Clock, type Connection } from '@engawa/client';
import { addressDirect, type KnownEvent, type ServerEvent } from '@engawa/protocol';
import { topic } from '../constants.ts';
import { conversationOf, directOf, isDirect, participantsIn, type ConversationKey } from '../streams/conversation.ts';
import { typingBecame } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { TimelinesState } from './state.ts';

export interface Typing {
  /** What the server tells of others. */
  hear(events: readonly ServerEvent[]): void;
  /** The member has gone on writing there; or they have sent, emptied or left what they wrote. */
  say(conversation: ConversationKey, writes: boolean): void;
}

export interface TypingOptions {
  readonly connection: Connection;
  readonly store: Store<TimelinesState>;
  readonly clock: Clock;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createTyping({ connection, store, clock, judge, stop }: TypingOptions): Typing {
  /** How to call off what ends a writing by itself, by conversation and user. */
  const ends = new Map<string, () => void>();
  /** Where the others were last told that the member writes, and when. */
  let told: { readonly conversation: ConversationKey; readonly at: number } | undefined;
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
    // It ends where nothing more is heard of it: the tab that wrote may be gone.
    if (writes)
      ends.set(
        key,
        clock.after(store.state().typingTimes.expires, () => became(conversation, userId, false)),
      );
    store.update((state) => typingBecame(state, conversation, userId, writes));
  }

  /** One call after the other, or a stop might arrive before its start. */
  function tell(op: 'start' | 'stop', conversation: ConversationKey): void {
    const where = isDirect(conversation)
      ? { type: 'direct', to: addressDirect(participantsIn(conversation)) }
      : { type: 'stream', stream_id: conversation, topic };
    const earlier = last;
    last = (async () => {
      await earlier;
      try {
        if (!stop.aborted) await setTypingStatus(connection, { op, ...where }, { signal: stop, keepalive: true });
      } catch (error) {
        // It is past before it could be told again.
        if (!stop.aborted) judge(error);
      }
    })();
  }

  function tellStop(): void {
    stopIdling?.();
    if (told) tell('stop', told.conversation);
    told = undefined;
  }

  function mayTell(conversation: ConversationKey): boolean {
    const { settings } = store.state();
    // R2.25.2: whoever writes is there.
    if (settings.presence_enabled === false) return false;
    if (!isDirect(conversation)) return settings.send_stream_typing_notifications !== false;
    // Of notes to oneself nobody hears.
    return settings.send_private_typing_notifications !== false && participantsIn(conversation).length > 1;
  }

  return {
    hear(events) {
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

    say(conversation, writes) {
      if (told && (!writes || told.conversation !== conversation)) tellStop();
      if (!writes || !mayTell(conversation)) return;
      const { resent, idle } = store.state().typingTimes;
      stopIdling?.();
      stopIdling = clock.after(idle, tellStop);
      const now = clock.now();
      if (told && now - told.at < resent) return;
      told = { conversation, at: now };
      tell('start', conversation);
    },
  };
}

function placeOf({ stream_id, recipients }: Extract<KnownEvent, { type: 'typing' }>): ConversationKey | undefined {
  return recipients ? directOf(recipients.map(({ user_id }) => user_id)) : stream_id;
}
