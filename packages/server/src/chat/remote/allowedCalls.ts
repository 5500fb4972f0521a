import { type Endpoint, getStreamEmailAddress } from '@engawa/protocol';
import { pathOf } from '../callPath.ts';
import { endpoints } from '../endpoints.ts';

const apiPath = '/api/v1';

interface AllowedCall {
  readonly endpoint: Endpoint;
  readonly path: RegExp;
}

const id = '\\d{1,16}';
/** A word that no server reads as more than one element of a path: with `@`, `+` and characters that are not ASCII. */
const text = '(?!\\.+(?:/|$))(?:[\\w@.+~-]|%(?:40|2[Bb]|[89A-Fa-f][0-9A-Fa-f])){1,400}';

const isText = ({ parameters }: Endpoint, name: string): boolean => parameters[name]?.encoding === 'segment';
const hasText = ({ parameters }: Endpoint): boolean => Object.values(parameters).some(({ encoding }) => encoding === 'segment');

/**
 * The calls that `protocol` describes, and no others. Those with a text in the path come last, because it could be any word. The address that
 * posts into a stream by mail is a secret, which no client gets.
 */
const allowed: readonly AllowedCall[] = endpoints
  .filter((endpoint) => endpoint !== getStreamEmailAddress)
  .map((endpoint) => ({
    endpoint,
    path: new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => (isText(endpoint, name) ? text : id))}$`),
  }))
  .toSorted((one, other) => Number(hasText(one.endpoint)) - Number(hasText(other.endpoint)));

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
