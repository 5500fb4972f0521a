/**
 * One tab per browser polls (R4.4): each waiting poll occupies one of the six connections that a browser has for a host, so a
 * seventh tab would block all of them. The tab that holds the lock leads; the others receive its news.
 */
import { sleep } from '@engawa/client';
import type { Environment } from '../environment.ts';
import { generateKey } from '../outbox/generate.ts';
import { news, newsVersion, type News } from './news.ts';

/** Milliseconds in which a leading tab answers; one that does not is frozen and loses the lock. */
const patience = 3000;

export interface Tabs {
  post(news: News): void;
  requestState(): void;
  /** For a follower: checks whether another tab leads, and takes the lead from a frozen one. */
  wake(): void;
  /** Whether another tab would continue to poll if this one stopped. */
  hasHeir(): Promise<boolean>;
  readonly ended: Promise<void>;
}

export interface TabsOptions {
  readonly memberId: number;
  /** On insecure origins there are no locks: then each tab leads itself, alone. */
  readonly environment: Pick<Environment, 'locks' | 'openChannel' | 'clock'>;
  readonly stop: AbortSignal;
  /** Polls until the signal is aborted: the model was stopped, or another tab has taken over. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  /** For a follower: news of the leading tab. For the leader: presence in another tab. */
  readonly onNews: (news: News) => void;
  /** For the leader: the answer to a tab that needs our state; empty while there is none. */
  readonly answer: (tab: string) => readonly News[];
  readonly onError: (error: unknown) => void;
}

export function joinTabs(options: TabsOptions): Tabs {
  const { memberId, environment, stop, lead, onNews, answer, onError } = options;
  const { locks, openChannel, clock } = environment;
  if (!locks) return alone(options);

  // Members who use the same browser in turn must not receive each other's news.
  const name = `v${newsVersion} member ${memberId}`;
  const lockName = `engawa-poll ${name}`;
  const channel = openChannel(`engawa ${name}`);
  const send = channel.postMessage.bind(channel);
  const tab = generateKey();
  let leading = false;
  let answered = new AbortController();
  /** Aborted when the leader has not answered; undefined while this tab does not wait for the lock. */
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

  /** Leads once the lock is ours. If it was stolen, or the wait was aborted, another attempt follows. */
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
    // A new check ends the wait for the last one.
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
