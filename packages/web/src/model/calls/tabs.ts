/** One tab of a browser holds the member's call. The others show where it is. */
import { z } from 'zod/mini';
import type { Environment } from '../environment.ts';
import { conversationKey, type ConversationKey } from '../streams/conversation.ts';

const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('where') }),
  z.object({ kind: z.literal('held'), conversation: z.nullable(conversationKey) }),
]);

export interface CallTabs {
  /** @returns whether this tab now holds the call. @param take Takes it from another tab, which leaves its call. */
  hold(conversation: ConversationKey, take: boolean): Promise<boolean>;
  release(): void;
}

interface CallTabsOptions {
  readonly memberId: number;
  /** Insecure origins have no locks and no microphone; each tab may listen by itself there. */
  readonly environment: Pick<Environment, 'locks' | 'openChannel' | 'onLeave'>;
  readonly stop: AbortSignal;
  readonly onTaken: () => void;
  readonly onElsewhere: (conversation: ConversationKey | undefined) => void;
}

export function joinCallTabs({ memberId, environment, stop, onTaken, onElsewhere }: CallTabsOptions): CallTabs {
  const { locks, openChannel, onLeave } = environment;
  const lock = `engawa-call ${memberId}`;
  const channel = openChannel(`engawa call ${memberId}`);
  const post = channel.postMessage.bind(channel);
  /** The call that this tab holds. */
  let held: { readonly conversation: ConversationKey; readonly release: () => void } | undefined;
  /** Aborted if the call is released before the browser has granted the lock. */
  let waiting = new AbortController();
  let watching = new AbortController();
  const send = (what: z.output<typeof news>) => post(what);
  const sayHeld = (conversation: ConversationKey | null) => send({ kind: 'held', conversation });

  /** A tab that crashes says nothing, but its lock becomes free. */
  function becomeElsewhere(conversation: ConversationKey | undefined): void {
    watching.abort();
    watching = new AbortController();
    onElsewhere(conversation);
    if (conversation === undefined) return;
    const { signal } = watching;
    const ended = () => {
      if (!signal.aborted) becomeElsewhere(undefined);
    };
    locks?.request(lock, { mode: 'shared', signal }, ended).catch(throwUnlessAborted);
  }

  function become(conversation: ConversationKey, release: () => void): void {
    held = { conversation, release };
    becomeElsewhere(undefined);
    sayHeld(conversation);
  }

  function release(): void {
    waiting.abort();
    if (!held) return;
    sayHeld(null);
    held.release();
    held = undefined;
  }

  channel.addEventListener('message', ({ data }) => {
    const { data: what } = news.safeParse(data);
    if (stop.aborted || !what) return;
    if (what.kind === 'held') becomeElsewhere(what.conversation ?? undefined);
    else if (held) sayHeld(held.conversation);
  });
  send({ kind: 'where' });
  const stopWatching = onLeave(() => held && sayHeld(null));
  stop.addEventListener('abort', () => {
    stopWatching();
    watching.abort();
    release();
    channel.close();
  });

  return {
    async hold(conversation, take) {
      if (held) return true;
      if (!locks) {
        become(conversation, () => undefined);
        return true;
      }
      waiting = new AbortController();
      const { signal: cancelled } = waiting;
      const granted = Promise.withResolvers<boolean>();
      const holding = async (given: Lock | null) => {
        if (!given || cancelled.aborted) return granted.resolve(false);
        const released = Promise.withResolvers<void>();
        become(conversation, released.resolve);
        granted.resolve(true);
        await released.promise;
      };
      locks.request(lock, take ? { steal: true } : { ifAvailable: true }, holding).catch((error: unknown) => {
        throwUnlessAborted(error);
        // Another tab has taken the lock.
        held = undefined;
        onTaken();
      });
      return granted.promise;
    },
    release,
  };
}

function throwUnlessAborted(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
}
