import type { Database } from '@engawa/chat-server/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deviceDays, deviceTokenOf, setDevice } from './cookie.ts';
import { createToken, hashOf, isToken } from './seal.ts';
import { knownDeviceRows } from './store.ts';

/** The browsers in which members have signed in before. They stay known after signing out, so strangers cannot lock members out. */
export interface KnownDevices {
  /** @returns an id of the browser, which grants nothing; undefined unless the member with this email has signed in there. */
  find(request: FastifyRequest, email: string): string | undefined;
  /** Sets a new cookie, so that a planted or copied one becomes useless. Other members of the browser stay known in it. */
  remember(reply: FastifyReply, userId: number): Promise<void>;
}

export const maxKnownDevices = 50;

export interface KnownDeviceDependencies {
  readonly database: Database;
  readonly now: () => number;
  readonly emailOf: (userId: number) => string | undefined;
}

export function createKnownDevices({ database, now, emailOf }: KnownDeviceDependencies): KnownDevices {
  const seconds = () => Math.floor(now() / 1000);
  const oldest = () => seconds() - deviceDays * 24 * 60 * 60;
  return {
    find(request, email) {
      const hash = hashFrom(request);
      if (!hash) return undefined;
      // Asks only for members of this browser, so that the duration does not reveal whether others exist.
      const members = knownDeviceRows.membersOn(database.reader, hash, oldest());
      const isKnown = members.some((userId) => emailOf(userId)?.toLowerCase() === email.toLowerCase());
      return isKnown ? Buffer.from(hash).toString('base64') : undefined;
    },
    async remember(reply, userId) {
      const before = hashFrom(reply.request);
      const token = createToken();
      const hash = hashOf(token);
      await database.write((tx) => {
        knownDeviceRows.removeOld(tx, oldest());
        if (before) knownDeviceRows.rename(tx, before, hash);
        knownDeviceRows.note(tx, hash, userId, seconds());
        for (const { token_hash } of knownDeviceRows.ofMember(tx, userId).slice(maxKnownDevices)) {
          knownDeviceRows.remove(tx, token_hash, userId);
        }
      });
      setDevice(reply, token);
    },
  };
}

function hashFrom(request: FastifyRequest): Uint8Array | undefined {
  const token = deviceTokenOf(request);
  return token === undefined || !isToken(token) ? undefined : hashOf(token);
}
