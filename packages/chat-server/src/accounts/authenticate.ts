import type { Database } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { ChatRequest } from '../http/exchange.ts';
import { apiKeyPattern, hashApiKey } from './apiKeys.ts';
import type { Member } from '../identity/member.ts';
import type { KeyUses } from './keyUses.ts';
import { requireActive, memberOf } from '../identity/currentMember.ts';
import { users } from '../identity/store.ts';

const mostRemembered = 20_000;

/** The returned function throws a ChatError for missing, wrong or revoked credentials. */
export function createAuthenticate(database: Database, keyUses: KeyUses): (request: ChatRequest) => Member {
  // Two calls with the same key get the same object, which a queue in use keeps.
  const found = database.untilChange(['user', 'api_key'], mostRemembered, (reader, hash: string) => {
    const user = users.byKeyHash(reader, hash);
    return user && { user, member: memberOf(user) };
  });
  return ({ headers }) => {
    const { email, key } = basicCredentials(headers['authorization']);
    if (!apiKeyPattern.test(key)) throw refused.malformedApiKey();
    const known = found(hashApiKey(key));
    // The chat API requires email and key together, so a key with another member's email is wrong.
    if (known?.user.email.toLowerCase() !== email.toLowerCase()) throw refused.invalidApiKey();
    keyUses.note(requireActive(known.user));
    return known.member;
  };
}

function basicCredentials(header: ChatRequest['headers'][string]): { email: string; key: string } {
  if (typeof header !== 'string') throw refused.notLoggedIn();
  const [scheme, encoded] = header.trim().split(/\s+/, 2);
  if (scheme?.toLowerCase() !== 'basic') throw refused.otherScheme();
  const parts = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':');
  const [email, key] = parts;
  if (parts.length !== 2 || email === undefined || key === undefined) throw refused.badBasicHeader();
  return { email, key: key.trim() };
}
