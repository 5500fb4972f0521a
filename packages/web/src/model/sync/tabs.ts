/**
 * One tab per browser polls (R4.4). A waiting poll occupies one of the six connections that a browser opens per host, so polls of
 * more tabs would block all others. The tab that holds the lock polls, and sends what it receives to the other tabs.
 */
import { sleep } from '@engawa/client';
import type { Environment } from '../environment.ts';
import { generateKey } from '../outbox/generate.ts';
import { news, newsVersion, type News } from './news.ts';

/** Milliseconds in which the polling tab answers. A tab that does not is frozen and loses the lock. */
const patience = 3000;

export interface Tabs {
  post(news: News): void;
  requestState(): void;
  /** In a tab that does not poll: checks that another tab does, and takes the lock from a frozen one. */
  wake(): void;
  /** Whether another tab would continue to poll if this one stopped. */
  hasHeir(): Promise<boolean>;
  readonly ended: Promise<void>;
}

export interface TabsOptions {
  readonly memberId: number;
  /** Insecure origins have no locks: there each tab polls for itself. */
  readonly environment: Pick<Environment, 'locks' | 'openChannel' | 'clock'>;
  readonly stop: AbortSignal;
  /** Polls until the signal is aborted: the model was stopped, or another tab has taken over. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  /** In other tabs: called with each message of the polling tab. In the polling tab: called when another tab reports its presence. */
  readonly onNews: (news: News) => void;
  /** In the polling tab: the state for a tab that asks for it; empty while there is none. */
  readonly answer: (tab: string) => readonly News[];
  readonly onError: (error: unknown) => void;
}

export function joinTabs(options: TabsOptions): Tabs {
  const { memberId, environment, stop, lead, onNews, answer, onError } = options;
  const { locks, openChannel, clock } = environment;
  if (!locks) return alone(options);

  // The channel is per member, because members who use one browser after another must not receive each other's messages.
  const name = `v${newsVersion} member ${memberId}`;
  const lockName = `engawa-poll ${name}`;
  const channel = openChannel(`engawa ${name}`);
  const send = channel.postMessage.bind(channel);
  const tab = generateKey();
  let leading = false;
  let answered = new AbortController();
  /** Aborted when the polling tab has not answered; undefined while this tab does not wait for the lock. */
  let waiting: AbortController | undefined;

  const post = (what: News) => {
    if (!stop.aborted) send(what);
  };

  channel.addEventListener('message', ({ data }) => {
    const { data: what } = news.safeParse(data);
    if (!what || stop.aborted) return;
    if (what.kind === 'hello') {
      if (leading) [{ kind: 'leading', tab: what.tab } as const, ...answer(what.tab)].forEach(post);
      return;
    }
    const isForLeader = what.kind === 'here';
    if (!isForLeader) answered.abort();
    if (leading !== isForLeader || (what.kind === 'snapshot' && what.tab !== undefined && what.tab !== tab)) return;
    try {
      onNews(what);
    } catch (error) {
      onError(error);
    }
  });

  function requestState(): void {
    post({ kind: 'hello', tab });
  }

  /** Polls once this tab has the lock. `lost`: another tab took it or the wait was aborted; this tab then tries again. */
  const holdLock = async (request: LockOptions): Promise<'ended' | 'lost'> => {
    const turn = new AbortController();
    try {
      await locks.request(lockName, request, async () => {
        leading = true;
        waiting = undefined;
        answered.abort();
        post({ kind: 'leading' });
        await lead(AbortSignal.any([stop, turn.signal]));
      });
      return 'ended';
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
      return 'lost';
    } finally {
      leading = false;
      turn.abort();
    }
  };

  async function takeTurns(): Promise<void> {
    let steal = false;
    while (!stop.aborted) {
      const silent = new AbortController();
      waiting = steal ? undefined : silent;
      wake();
      const outcome = await holdLock(steal ? { steal } : { signal: AbortSignal.any([stop, silent.signal]) });
      if (outcome === 'ended') return;
      steal = silent.signal.aborted;
    }
  }

  function wake(): void {
    if (waiting) void noticeSilence(waiting);
  }

  async function noticeSilence(silent: AbortController): Promise<void> {
    // Ends the wait of the last check, because this one replaces it.
    answered.abort();
    answered = new AbortController();
    const { signal } = answered;
    requestState();
    await sleep(clock, patience, AbortSignal.any([stop, signal]));
    if (!signal.aborted) silent.abort();
  }

  return {
    post,
    requestState,
    wake,
    async hasHeir() {
      const { pending = [] } = await locks.query();
      return pending.some((lock) => lock.name === lockName);
    },
    ended: takeTurns()
      .catch(onError)
      .finally(() => channel.close()),
  };
}

function noOtherTabs(): void {}

function alone({ lead, stop, onError }: TabsOptions): Tabs {
  return {
    post: noOtherTabs,
    requestState: noOtherTabs,
    wake: noOtherTabs,
    hasHeir: () => Promise.resolve(false),
    ended: lead(stop).catch(onError),
  };
}
