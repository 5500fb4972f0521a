import { type ErrorCode, quoted } from '@engawa/protocol';
import type { StorageFault } from './database/index.ts';

/** A refused call. Its answer is `{result: 'error', msg, code, …data}`. */
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

function retryAfter(seconds: number, status: number, code: ErrorCode, message: string, headers: ChatError['headers'] = {}) {
  const allHeaders = { ...headers, 'Retry-After': String(Math.ceil(seconds)) };
  return new ChatError(status, code, message, { data: { 'retry-after': seconds }, headers: allHeaders });
}

const storageFaults: Readonly<Record<StorageFault, readonly [ErrorCode, message: string]>> = {
  full: ['STORAGE_FULL', 'The disk of the server is full. Nothing was changed.'],
  'read-only': ['STORAGE_READ_ONLY', 'The server may not write to its disk. Nothing was changed.'],
  locked: ['STORAGE_LOCKED', 'Another program has locked the database. Nothing was changed.'],
  failing: ['STORAGE_FAILING', 'The disk of the server fails. Nothing was changed.'],
};

/** The server could not store a change. The caller sees only the kind of fault; the log has the details. */
export const storageError = (fault: StorageFault): ChatError => retryAfter(5, 503, ...storageFaults[fault]);

/** The errors of the chat API. Missing and forbidden things have the same error, so that it does not reveal what exists. */
export const refused = {
  /** @param message may contain a caller's input, so it is cut to a bounded length. */
  because: (message: string) => new ChatError(400, 'BAD_REQUEST', quoted(message)),
  invalidMessages: () => new ChatError(400, 'BAD_REQUEST', 'Invalid message(s)'),
  /** @param allowed how many of the topic's `total` messages may move: the newest, from `first` on. */
  movesTooOld(first: number, allowed: number, total: number) {
    const message = `You only have permission to move the ${allowed}/${total} most recent messages in this topic.`;
    const counts = { total_messages_in_topic: total, total_messages_allowed_to_move: allowed };
    const data = { first_message_id_allowed_to_move: first, ...counts };
    return new ChatError(400, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', message, { data });
  },
  noSuchStream(name: string) {
    const data = { stream: quoted(name) };
    return new ChatError(400, 'STREAM_DOES_NOT_EXIST', `Stream '${data.stream}' does not exist`, { data });
  },
  noSuchStreamId: (id: number) =>
    new ChatError(400, 'STREAM_DOES_NOT_EXIST', `Stream with ID '${id}' does not exist`, { data: { stream_id: id } }),
  badNarrow(description: string) {
    const data = { desc: quoted(description) };
    return new ChatError(400, 'BAD_NARROW', `Invalid narrow operator: ${data.desc}`, { data });
  },
  badEventQueue(id: string) {
    const data = { queue_id: quoted(id) };
    return new ChatError(400, 'BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${data.queue_id}`, { data });
  },
  groupNotWanted: (userIds: readonly number[]) =>
    new ChatError(400, 'GROUP_NOT_WANTED', 'Some users do not want to be added to a group by you.', {
      data: { user_ids: userIds },
    }),
  reactionExists: () => new ChatError(400, 'REACTION_ALREADY_EXISTS', 'Reaction already exists.'),
  noSuchReaction: () => new ChatError(400, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."),
  notLoggedIn: () => new ChatError(401, 'UNAUTHORIZED', 'Not logged in: API authentication or user session required', challenge),
  badBasicHeader: () => new ChatError(401, 'UNAUTHORIZED', 'Invalid authorization header for basic auth', challenge),
  otherScheme: () => new ChatError(400, 'BAD_REQUEST', 'This endpoint requires HTTP basic authentication.'),
  malformedApiKey: () => new ChatError(401, 'INVALID_API_KEY', 'Malformed API key', challenge),
  invalidApiKey: () => new ChatError(401, 'INVALID_API_KEY', 'Invalid API key', challenge),
  wrongPassword: () => new ChatError(401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect'),
  deactivated: () => new ChatError(401, 'USER_DEACTIVATED', 'Account is deactivated'),
  invalidStreamId: () => new ChatError(400, 'BAD_REQUEST', 'Invalid stream ID'),
  otherContent: () =>
    new ChatError(400, 'EXPECTATION_MISMATCH', "'prev_content_sha256' value does not match the expected value."),
  noSuchScheduledMessage: () => new ChatError(404, 'BAD_REQUEST', 'Scheduled message does not exist'),
  noSuchDraft: () => new ChatError(404, 'BAD_REQUEST', 'Draft does not exist'),
  otherRevision: () => new ChatError(400, 'EXPECTATION_MISMATCH', "'revision' value does not match the expected value."),
  mayNotEdit: () => new ChatError(400, 'BAD_REQUEST', "You don't have permission to edit this message"),
  notPermitted: () => new ChatError(400, 'BAD_REQUEST', 'Insufficient permission'),
  queryNotPermitted: () => new ChatError(400, 'BAD_REQUEST', 'User not authorized for this query'),
  forGuests: () => new ChatError(400, 'BAD_REQUEST', 'Not allowed for guest users'),
  noSuchUserGroup: () => new ChatError(400, 'BAD_REQUEST', 'Invalid user group'),
  nothingToDo: () => new ChatError(400, 'BAD_REQUEST', 'Nothing to do. Specify at least one of "add" or "delete".'),
  noSuchUser: () => new ChatError(400, 'BAD_REQUEST', 'No such user'),
  noSuchBot: () => new ChatError(400, 'BAD_REQUEST', 'No such bot'),
  noBots: () => new ChatError(400, 'BAD_REQUEST', 'This endpoint does not accept bot requests.'),
  nobodyCreatesBots: () => new ChatError(400, 'BOT_CREATION_OFF', 'Nobody may create bots in this organization.'),
  administratorsCreateBots: () =>
    new ChatError(400, 'BOT_CREATION_ADMINISTRATORS', 'Only organization administrators may create bots.'),
  tooManyActiveBots: (most: number) => new ChatError(400, 'TOO_MANY_BOTS', `A member can have at most ${most} active bots.`),
  tooManyBots: (most: number) => new ChatError(400, 'TOO_MANY_BOTS', `A member can create at most ${most} bots.`),
  onlySends: () => new ChatError(401, 'UNAUTHORIZED', 'This API is not available to incoming webhook bots.'),
  emailInUse: (email: string) => new ChatError(400, 'BAD_REQUEST', `Email '${email}' already in use`),
  /** For reorganisations and bots, whose callers recognise the error by its code. */
  addressTaken: (email: string) => new ChatError(400, 'EMAIL_IN_USE', `Email '${quoted(email)}' already in use`),
  nameInUse: (name: string) =>
    new ChatError(400, 'NAME_IN_USE', `Another member has the name '${quoted(name)}', or one that looks the same.`),
  userDeactivated: () => new ChatError(400, 'BAD_REQUEST', 'User is deactivated'),
  onlyOwner: () =>
    new ChatError(400, 'CANNOT_DEACTIVATE_LAST_USER', 'Cannot deactivate the only organization owner.', {
      data: { is_last_owner: true, entity: 'organization owner' },
    }),
  /** @param rank such as `an organization administrator`. */
  mustBe: (rank: string) => new ChatError(400, 'UNAUTHORIZED_PRINCIPAL', `Must be ${rank}`),
  rateLimited: (seconds: number, headers?: ChatError['headers']) =>
    retryAfter(seconds, 429, 'RATE_LIMIT_HIT', 'API usage exceeded rate limit', headers),
  /** Too many passwords wait to be hashed. Hashing is slow on purpose, so that guessing is slow. */
  tooBusy: () => retryAfter(2, 503, 'RATE_LIMIT_HIT', 'Too many are signing in at once. Please try again.'),
  searchNotReady: () => retryAfter(5, 503, 'SEARCH_NOT_READY', 'Search is not ready yet. Please try again.'),
  noSuchCall: () => new ChatError(404, 'NOT_FOUND', 'There is no such call in this API.'),
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
