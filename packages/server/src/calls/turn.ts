import { createHmac } from 'node:crypto';
import { callLimits, type JoinedCall } from '@engawa/protocol/calls';
import type { TurnSettings } from '../configuration.ts';

/**
 * Credentials of a TURN server that shares a secret with us: the user name is the end of their validity and the user id, the
 * password its HMAC-SHA1 (draft-uberti-behave-turn-rest-00, `use-auth-secret` of coturn). Without TURN, no server is named.
 * @param seconds since 1970.
 */
export function iceServersFor(turn: TurnSettings | undefined, userId: number, seconds: number): JoinedCall['ice'] {
  if (!turn) return [];
  const username = `${seconds + callLimits.turnCredentials}:${userId}`;
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64');
  return [{ urls: [...turn.urls], username, credential }];
}
