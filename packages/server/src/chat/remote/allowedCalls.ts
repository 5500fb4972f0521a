import type { Endpoint } from '@engawa/protocol';
import { pathOf } from '../callPath.ts';
import { endpoints } from '../endpoints.ts';

const apiPath = '/api/v1';

interface AllowedCall {
  readonly endpoint: Endpoint;
  readonly path: RegExp;
}

/** The calls that `protocol` describes, and no others: a parameter in a path is a number, so nothing else can be in it. */
const allowed: readonly AllowedCall[] = endpoints.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '\\d{1,16}')}$`),
}));

/** A call that Zulip may get. `target` is its path and query there. */
interface UpstreamTarget {
  readonly endpoint: Endpoint;
  readonly target: string;
}

/** @param url path and query as the client sent them. */
export function allowedCall(method: string, url: string): UpstreamTarget | undefined {
  const path = pathOf({ url });
  const query = /\?.*/s.exec(url)?.[0] ?? '';
  if (!path.startsWith(`${apiPath}/`)) return undefined;
  const name = path.slice(apiPath.length);
  const found = allowed.find((call) => call.endpoint.method === method && call.path.test(name));
  return found && { endpoint: found.endpoint, target: path + query };
}
