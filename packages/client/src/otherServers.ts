/** What servers of other feature levels answer otherwise, read as the newest would have answered. */
import { urlTemplateOf, type AnswerOut, type Linkifier, type User } from '@engawa/protocol';
import type * as endpoints from '@engawa/protocol';
import { getLinkifiers, getPointer, getRealmFilters } from './calls.ts';
import type { CallOptions, Connection } from './connection.ts';
import { ApiError, MalformedAnswerError } from './errors.ts';

type Subscribed = Pick<AnswerOut<typeof endpoints.subscribe>, 'subscribed' | 'already_subscribed'>;

/**
 * The names of the streams that `subscribe` or `updateSubscriptions` brought a user to. They stand under the user's id,
 * before feature level 289 under their email, and nowhere when there are none.
 */
export function subscribedOf(
  { subscribed, already_subscribed }: Subscribed,
  { user_id, email }: Pick<User, 'user_id' | 'email'>,
): { readonly subscribed: readonly string[]; readonly already_subscribed: readonly string[] } {
  const ofUser = (names: Subscribed['subscribed']) => names[user_id] ?? names[email] ?? [];
  return { subscribed: ofUser(subscribed), already_subscribed: ofUser(already_subscribed) };
}

/**
 * The organisation's linkifiers, also of a server before feature level 54, which had them as realm filters.
 * @throws CallError; the signal's reason when the caller gave up.
 */
export async function linkifiersOf(connection: Connection, options?: CallOptions): Promise<readonly Linkifier[]> {
  try {
    return (await getLinkifiers(connection, {}, options)).linkifiers;
  } catch (error) {
    if (!isUnknownCall(error)) throw error;
    const { filters } = await getRealmFilters(connection, {}, options);
    return filters.map(([pattern, format, id]) => ({ id, pattern, url_template: urlTemplateOf(format) }));
  }
}

/**
 * The anchor for `getMessages` at which the member goes on reading: their pointer, or `first_unread` where they have
 * none yet or the server keeps none, as Zulip does since feature level 23.
 * @throws CallError; the signal's reason when the caller gave up.
 */
export async function readingAnchor(connection: Connection, options?: CallOptions): Promise<string> {
  try {
    const { pointer } = await getPointer(connection, {}, options);
    return pointer < 0 ? 'first_unread' : String(pointer);
  } catch (error) {
    if (!isUnknownCall(error)) throw error;
    return 'first_unread';
  }
}

/** The server has no such call: it says so in the chat API's form, or in a page of its own. */
function isUnknownCall(error: unknown): boolean {
  const answered = error instanceof ApiError || error instanceof MalformedAnswerError;
  return answered && (error.status === 404 || error.status === 405);
}
