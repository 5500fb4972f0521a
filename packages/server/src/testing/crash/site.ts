import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, NetworkError, connect, fetchApiKey } from '@engawa/client';
import { basicAuthorization } from '../../chat/connections.ts';
import { emailOf } from '../product.ts';
import { type BegunProcess, beginProcess, builtProgram } from '../serverProcess.ts';

/** Where nobody is: what is asked for is looked for at the server's address of the moment. */
export const realm = 'http://engawa.invalid';

/**
 * A server that is killed and started again, as its clients see it: now and then nobody answers. Each start takes a
 * port of its own, so that no other process can have taken it meanwhile.
 */
export interface Site {
  readonly fetch: typeof fetch;
  /** Starts it, on another data directory from then on where one is named, and waits until it answers. */
  open(directory?: string): Promise<void>;
  /** Starts it, and kills it so many milliseconds later, wherever it is then. */
  openFor(milliseconds: number): Promise<void>;
  /** Kills it. */
  kill(): Promise<void>;
  /** Ends it as an operator does. */
  stop(): Promise<void>;
  signIn(name: string): Promise<Member>;
}

export interface Member {
  readonly name: string;
  readonly connection: Connection;
  readonly authorization: string;
}

export function siteOn(dataDirectory: string): Site {
  let current = dataDirectory;
  let begun: BegunProcess | undefined;
  let address: string | undefined;
  const begin = () => {
    begun = beginProcess(builtProgram, current, { environment: { RATE_LIMIT: 'none' } });
    return begun;
  };
  const end = async (signal: NodeJS.Signals) => {
    address = undefined;
    await begun?.end(signal);
  };
  const reach: typeof fetch = async (input, init) => {
    if (address === undefined) throw new TypeError('nobody listens');
    return fetch(String(input).replace(realm, address), init);
  };
  return {
    fetch: reach,
    async open(directory = current) {
      current = directory;
      address = await begin().ready;
    },
    async openFor(milliseconds) {
      const { ready } = begin();
      const over = pause(milliseconds, undefined);
      // Nobody may have been answered by then.
      address = await Promise.race([ready, over]);
      await over;
      await end('SIGKILL');
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async signIn(name) {
      const username = emailOf(name);
      const { api_key: apiKey } = await fetchApiKey(connect({ realm, fetch: reach }), { username, password: 'demo' });
      return {
        name,
        connection: connect({ realm, username, apiKey, fetch: reach }),
        authorization: basicAuthorization(username, apiKey),
      };
    },
  };
}

/** Milliseconds after which somebody whom nobody answered asks again. */
const gracePeriod = 20;

/**
 * Does it again until it is answered. Whatever else goes wrong than that nobody answers is wrong.
 * @param attempt is told how many were made before it.
 */
export async function insist<Answer>(attempt: (before: number) => Promise<Answer>): Promise<Answer> {
  for (let before = 0; ; before += 1) {
    try {
      return await attempt(before);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      await pause(gracePeriod);
    }
  }
}
