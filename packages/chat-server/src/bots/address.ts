import { maxBotShortName } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { isEmailAddress } from '../identity/email.ts';

const shortName = /^[a-z\d](?:[\w.-]*[a-z\d])?$/i;

/**
 * The address is only a name for the sign-in by key; nothing is mailed to it. Its host is that of the server, as in Zulip.
 * @throws ChatError for a name that an address cannot contain.
 */
export function botAddress(name: string, url: string): string {
  const trimmed = name.trim().replace(/-bot$/i, '');
  if (trimmed.length > maxBotShortName || !shortName.test(trimmed)) throw refused.because('Bad name or username');
  const address = `${trimmed.toLowerCase()}-bot@${new URL(url).hostname}`;
  // The host may be an IPv6 address, which an address writes differently.
  return isEmailAddress(address) ? address : `${trimmed.toLowerCase()}-bot@bots.invalid`;
}
