import { givenBody } from '@engawa/chat-server/parts';
import type { RequestChat } from './backend.ts';
import { type Connection, connect, type Fetch } from '@engawa/client';

interface Caller {
  readonly address: string;
  readonly forBrowser: boolean;
  readonly knownDevice: string | undefined;
}

export type ConnectAs = (authorization?: string, caller?: Partial<Caller>) => Connection;

export function connectionsTo(chat: RequestChat): ConnectAs {
  return (authorization, caller) => connect({ realm: 'http://chat.invalid', fetch: fetchFrom(chat, authorization, caller) });
}

/** `fetch` for calls that the client library does not describe. */
export function fetchFrom(
  chat: RequestChat,
  authorization: string | undefined,
  { address, forBrowser = false, knownDevice }: Partial<Caller> = {},
): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const { status, headers, body } = await chat({
      method: request.method,
      url: pathname + search,
      headers: { ...Object.fromEntries(request.headers), ...(authorization === undefined ? {} : { authorization }) },
      body: async (most) => givenBody(new Uint8Array(await request.arrayBuffer()))(most),
      // Undefined for calls that the product makes itself, which have no client address.
      address,
      forBrowser,
      knownDevice,
      signal: request.signal,
    });
    return new Response(Buffer.from(body), { status, headers: { ...headers } });
  };
}

export function basicAuthorization(email: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
}

/** Puts the current email into the credentials, because an API key stays valid when its member's email changes. */
export function withEmail(authorization: string, email: string): string {
  const { apiKey } = credentialsOf(authorization);
  return basicAuthorization(email, apiKey);
}

export function withKey(authorization: string, apiKey: string): string {
  return basicAuthorization(credentialsOf(authorization).email, apiKey);
}

function credentialsOf(authorization: string): { readonly email: string; readonly apiKey: string } {
  const [, encoded = ''] = authorization.split(' ');
  const credentials = Buffer.from(encoded, 'base64').toString();
  const end = credentials.lastIndexOf(':');
  return { email: credentials.slice(0, end), apiKey: credentials.slice(end + 1) };
}
