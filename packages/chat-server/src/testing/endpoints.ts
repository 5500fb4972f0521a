/** Every endpoint that the protocol exports, so that tests for all endpoints need no list. */
import * as protocol from '@engawa/protocol';
import type { Endpoint } from '@engawa/protocol';

type Protocol = typeof protocol;

/** Keys are the export names. */
export type Endpoints = {
  readonly [Name in keyof Protocol as Protocol[Name] extends Endpoint ? Name : never]: Protocol[Name];
};
export type CallName = keyof Endpoints;

export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(protocol).flatMap(([name, exported]) => (isEndpoint(exported) ? [[name, exported] as const] : [])),
);

export function endpointOf(name: string): Endpoint {
  const endpoint = endpoints.get(name);
  if (!endpoint) throw new TypeError(`the protocol has no call ${name}`);
  return endpoint;
}

function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === 'object' && exported !== null && 'method' in exported && 'path' in exported;
}
