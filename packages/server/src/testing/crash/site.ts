import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, NetworkError, connect, fetchApiKey } from '@engawa/client';
import { basicAuthorization } from '../../chat/connections.ts';
import { emailOf } from '../product.ts';
import { type BegunProcess, beginProcess, builtProgram } from '../serverProcess.ts';

/** A placeholder address; requests go to the server's current address. */
export const realm = 'http://engawa.invalid';

/** Each start uses a new port, so that no other process can have taken it meanwhile. */
export interface Site {
  readonly fetch: typeof fetch;
  /** @param directory replaces the data directory. */
  open(directory?: string): Promise<void>;
  openFor(milliseconds: number): Promise<void>;
  kill(): Promise<void>;
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
      // The server may not have answered anybody yet.
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

/** Milliseconds. */
const gracePeriod = 20;

/** A failure other than a missing answer is an error. @param attempt receives the number of earlier attempts. */
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
