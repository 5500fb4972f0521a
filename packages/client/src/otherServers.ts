/** Reads answers of servers with another feature level in the form of the newest level. */
import { urlTemplateOf, type AnswerOut, type Linkifier, type User } from '@engawa/protocol';
import type * as endpoints from '@engawa/protocol';
import { getLinkifiers, getPointer, getRealmFilters } from './calls.ts';
import type { CallOptions, Connection } from './connection.ts';
import { ApiError, MalformedAnswerError } from './errors.ts';

type Subscribed = Pick<AnswerOut<typeof endpoints.subscribe>, 'subscribed' | 'already_subscribed'>;

/** The streams to which a call subscribed a user. Its answer has them by user id, or by email before feature level 289. */
export function subscribedOf(
  { subscribed, already_subscribed }: Subscribed,
  { user_id, email }: Pick<User, 'user_id' | 'email'>,
): { readonly subscribed: readonly string[]; readonly already_subscribed: readonly string[] } {
  const ofUser = (names: Subscribed['subscribed']) => names[user_id] ?? names[email] ?? [];
  return { subscribed: ofUser(subscribed), already_subscribed: ofUser(already_subscribed) };
}

/** Servers before feature level 54 have realm filters instead. @throws CallError; the signal's reason when it is aborted. */
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
 * The anchor for `getMessages` from which the member continues to read. Zulip has no pointer since feature level 23.
 * @throws CallError; the signal's reason when it is aborted.
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

/** Whether the server does not have the call. Its answer may then be an HTML page instead of JSON. */
function isUnknownCall(error: unknown): boolean {
  const answered = error instanceof ApiError || error instanceof MalformedAnswerError;
  return answered && (error.status === 404 || error.status === 405);
}
