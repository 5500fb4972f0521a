import * as protocol from '@engawa/protocol';
import type { Endpoint } from '@engawa/protocol';

/** The calls that `protocol` describes. */
export const endpoints: readonly Endpoint[] = Object.values<unknown>(protocol).filter(isEndpoint);

function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === 'object' && exported !== null && 'method' in exported && 'path' in exported;
}
