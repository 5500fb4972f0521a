/** The syntax of a message: `*x*` is bold in our clients and emphasis in all others. */
export type Dialect = 'engawa' | 'zulip';

/** The prefix of a message's `client` when one of our clients sent it. */
export const ownClient = 'Engawa';

/** Decides by the client alone, so that a text typed in one client is always shown as its author saw it. */
export function dialectOf(client: string): Dialect {
  return client.startsWith(ownClient) ? 'engawa' : 'zulip';
}
