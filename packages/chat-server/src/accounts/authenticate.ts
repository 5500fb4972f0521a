import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { ChatRequest } from '../http/exchange.ts';
import { apiKeyPattern, hashApiKey } from './apiKeys.ts';
import type { Member } from '../identity/member.ts';
import type { KeyUses } from './keyUses.ts';
import { memberNow, memberOf, requireActive } from '../identity/currentMember.ts';
import { users } from '../identity/store.ts';

const mostRemembered = 20_000;
/** Characters. Headers of our clients are shorter. A longer one is not remembered, so that variants of one header cannot fill the memory. */
const longestRemembered = 600;

/** The returned function throws a ChatError for missing, wrong or revoked credentials. */
export function createAuthenticate(database: Database, keyUses: KeyUses): (request: ChatRequest) => Member {
  // Two calls with the same credentials get the same object, which a queue in use keeps. A call is authenticated before and after its
  // body, so the whole header is the key: decoding and hashing it costs more than all the rest.
  const found = database.untilChange(['user', 'api_key'], mostRemembered, find);
  return ({ headers: { authorization } }) => {
    if (typeof authorization !== 'string') throw refused.notLoggedIn();
    const isLong = authorization.length > longestRemembered;
    const { user, member } = isLong ? find(database.reader, authorization) : found(authorization);
    keyUses.note(user);
    return member;
  };
}

/** The returned function throws a ChatError if the key has ended or its user was deactivated. */
export function createMemberNow(database: Database): (member: Pick<Member, 'keyId'>) => Member {
  const found = database.untilChange(['user', 'api_key'], mostRemembered, (reader, keyId: number) =>
    memberNow(reader, { keyId }),
  );
  return ({ keyId }) => found(keyId);
}

function find(reader: Reader, authorization: string) {
  const { email, key } = basicCredentials(authorization);
  if (!apiKeyPattern.test(key)) throw refused.malformedApiKey();
  const user = users.byKeyHash(reader, hashApiKey(key));
  // The chat API requires email and key together, so a key with another member's email is wrong.
  if (user?.email.toLowerCase() !== email.toLowerCase()) throw refused.invalidApiKey();
  return { user, member: memberOf(requireActive(user)) };
}

function basicCredentials(header: string): { email: string; key: string } {
  const [scheme, encoded] = header.trim().split(/\s+/, 2);
  if (scheme?.toLowerCase() !== 'basic') throw refused.otherScheme();
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1 || text.includes(':', colon + 1)) throw refused.badBasicHeader();
  return { email: text.slice(0, colon), key: text.slice(colon + 1).trim() };
}
