import { isIP, isIPv4 } from 'node:net';
import type { AuthMode } from '@engawa/protocol/product';
import type { FastifyRequest } from 'fastify';
import { cameByHttps } from './proxies.ts';

export interface AccessSettings {
  readonly authMode: AuthMode;
  readonly host: string;
  /** Further host names of the product besides loopback, in lower case. */
  readonly allowedHosts: readonly string[];
  /** For example `https://chat.example.com`; undefined: the address it listens at. */
  readonly publicUrl: string | undefined;
  readonly insecureHttp: boolean;
}

const hostForm = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[^\s:@/?#[\]\\]+))(?::\d{1,5})?$/i;

/** Whether an address or name (without brackets) is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Another site can point its own name at this machine (DNS rebinding), but an address cannot be rebound. */
export function isOwnHost(host: string | undefined, settings: Pick<AccessSettings, 'host' | 'allowedHosts'>): boolean {
  const { v6, name } = hostForm.exec(host ?? '')?.groups ?? {};
  const named = (v6 ?? name)?.toLowerCase();
  if (named === undefined || (v6 !== undefined && isIP(v6) !== 6)) return false;
  if (isLoopback(named) || settings.allowedHosts.includes(named)) return true;
  return isIP(named) !== 0 && !isLoopback(settings.host);
}

export function ownOriginsOf(request: FastifyRequest, { publicUrl }: Pick<AccessSettings, 'publicUrl'>): string[] {
  const here = `${cameByHttps(request) ? 'https' : 'http'}://${request.host}`;
  return [...(URL.canParse(here) ? [new URL(here).origin] : []), ...(publicUrl === undefined ? [] : [publicUrl])];
}
