import { isIP } from 'node:net';
import { type Configuration, isLoopback } from '../configuration.ts';

const hostForm = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[^\s:@/?#[\]\\]+))(?::\d{1,5})?$/i;

/**
 * Whether a Host header names this server. A page of another site can point its own name at this machine (DNS rebinding),
 * so unknown names are refused. An address cannot be rebound.
 */
export function isOwnHost(host: string | undefined, configuration: Pick<Configuration, 'host' | 'allowedHosts'>): boolean {
  const { v6, name } = hostForm.exec(host ?? '')?.groups ?? {};
  const named = (v6 ?? name)?.toLowerCase();
  if (named === undefined || (v6 !== undefined && isIP(v6) !== 6)) return false;
  if (isLoopback(named) || configuration.allowedHosts.includes(named)) return true;
  return isIP(named) !== 0 && !isLoopback(configuration.host);
}
