import type { ErrorCode } from '@engawa/protocol';

/** A call that is refused, in the chat API's words. Its answer is `{result: 'error', msg, code, …data}`. */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    { data = {}, headers = {} }: Partial<Pick<ChatError, 'data' | 'headers'>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
    this.headers = headers;
  }
}

const challenge = { headers: { 'WWW-Authenticate': 'Basic realm="zulip"' } };

/** The refusals of the chat API, one function per kind. A thing that is missing and one that is forbidden read alike. */
export const refused = {
  because: (message: string) => new ChatError(400, 'BAD_REQUEST', message),
  invalidMessages: () => new ChatError(400, 'BAD_REQUEST', 'Invalid message(s)'),
  noSuchStream: (name: string) =>
    new ChatError(400, 'STREAM_DOES_NOT_EXIST', `Stream '${name}' does not exist`, { data: { stream: name } }),
  noSuchStreamId: (id: number) =>
    new ChatError(400, 'STREAM_DOES_NOT_EXIST', `Stream with ID '${id}' does not exist`, { data: { stream_id: id } }),
  badNarrow: (description: string) =>
    new ChatError(400, 'BAD_NARROW', `Invalid narrow operator: ${description}`, { data: { desc: description } }),
  badEventQueue: (id: string) =>
    new ChatError(400, 'BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${id}`, { data: { queue_id: id } }),
  notLoggedIn: () =>
    new ChatError(401, 'UNAUTHORIZED', 'Not logged in: API authentication or user session required', challenge),
  badBasicHeader: () =>
    new ChatError(401, 'UNAUTHORIZED', 'Invalid authorization header for basic auth', challenge),
  otherScheme: () => new ChatError(400, 'BAD_REQUEST', 'This endpoint requires HTTP basic authentication.'),
  malformedApiKey: () => new ChatError(401, 'INVALID_API_KEY', 'Malformed API key', challenge),
  invalidApiKey: () => new ChatError(401, 'INVALID_API_KEY', 'Invalid API key', challenge),
  wrongPassword: () => new ChatError(401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect'),
  deactivated: () => new ChatError(401, 'USER_DEACTIVATED', 'Account is deactivated'),
  noSuchCall: () => new ChatError(404, 'BAD_REQUEST', 'There is no such call in this API.'),
  wrongMethod: (allowed: readonly string[]) =>
    new ChatError(405, 'BAD_REQUEST', 'Method Not Allowed', {
      data: { allowed_methods: allowed },
      headers: { Allow: allowed.join(', ') },
    }),
  bodyTooLarge: (limit: number) =>
    new ChatError(413, 'PAYLOAD_TOO_LARGE', `The request is larger than the allowed limit of ${limit} bytes.`),
  bodyMalformed: () => new ChatError(400, 'BAD_REQUEST', 'The body of the request is malformed.'),
  bodyTypeUnknown: () =>
    new ChatError(415, 'BAD_REQUEST', 'The body must be application/x-www-form-urlencoded or multipart/form-data.'),
};
