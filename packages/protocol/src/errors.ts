import { z } from 'zod/mini';

/** The body of every 4xx or 5xx answer. Clients must compare `code`, never `msg`, which may change. */
export const errorAnswer = z.looseObject({
  result: z.literal('error'),
  msg: z.string(),
  code: z._default(z.string(), 'BAD_REQUEST'),
});
export type ErrorAnswer = z.output<typeof errorAnswer>;

export const errorCodes = [
  'BAD_REQUEST',
  /** Ours, with status 404. Zulip answers BAD_REQUEST there too. */
  'NOT_FOUND',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_VARIABLE_INVALID',
  'REQUEST_CONFUSING_VAR',
  'STREAM_DOES_NOT_EXIST',
  'BAD_NARROW',
  'BAD_EVENT_QUEUE_ID',
  'UNAUTHORIZED',
  'UNAUTHORIZED_PRINCIPAL',
  'INVALID_API_KEY',
  'AUTHENTICATION_FAILED',
  'USER_DEACTIVATED',
  'REACTION_ALREADY_EXISTS',
  'REACTION_DOES_NOT_EXIST',
  'CANNOT_DEACTIVATE_LAST_USER',
  'EXPECTATION_MISMATCH',
  /** Ours: the members in `user_ids` do not allow the caller to add them to a group. */
  'GROUP_NOT_WANTED',
  'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
  /** Ours: accounts and administration. */
  'SETUP_CODE_WRONG',
  'SETUP_DONE',
  'LINK_NOT_VALID',
  'PASSWORD_TOO_WEAK',
  'NO_MAIL',
  'EMAIL_IN_USE',
  /** Ours: another member has the name, or one that looks the same. */
  'NAME_IN_USE',
  /** Ours: the organisation lets nobody create bots. */
  'BOT_CREATION_OFF',
  /** Ours: only administrators create bots. */
  'BOT_CREATION_ADMINISTRATORS',
  /** Ours: the owner has the most bots that one member can have. */
  'TOO_MANY_BOTS',
  'DEPARTMENT_NOT_EMPTY',
  'ORGANISATION_CHANGED',
  /** Ours: the administrator is not in the private streams in `streams`, to which only their members can add others. */
  'STREAM_NOT_JOINED',
  'FILE_NOT_READABLE',
  /** Ours, for calls. `CALL_EXISTS` and `IN_ANOTHER_CALL` have a `call_id`. `CALL_ENDED` and `NOT_IN_CALL` have status 410. */
  'CALL_EXISTS',
  'CALL_FULL',
  'IN_ANOTHER_CALL',
  'CALL_ENDED',
  'NOT_IN_CALL',
  /** Ours: administrators allow no outgoing hook to this address. */
  'ADDRESS_NOT_ALLOWED',
  /** Ours: only an administrator turns this outgoing hook on again. */
  'HOOK_OFF_BY_ADMINISTRATOR',
  /** Ours: the owner renews the secret of this outgoing hook before it is turned on. */
  'HOOK_SECRET_NOT_RENEWED',
  /** Ours: the organisation has the most outgoing hooks, or the most allowed origins, that it can have. */
  'TOO_MANY_HOOKS',
  'TOO_MANY_HOOK_ORIGINS',
  /** Ours: a bot has at most one outgoing hook. */
  'BOT_HAS_HOOK',
  'RATE_LIMIT_HIT',
  'SEARCH_NOT_READY',
  'PAYLOAD_TOO_LARGE',
  /** Ours: the picture has too many pixels to be shown; it can be downloaded. */
  'PICTURE_TOO_LARGE',
  /** Ours, with status 503: the machine could not store the change. The client may retry. */
  'STORAGE_FULL',
  'STORAGE_READ_ONLY',
  'STORAGE_LOCKED',
  'STORAGE_FAILING',
  /** Ours: the change is accepted and will be completed in the background. */
  'TO_BE_COMPLETED',
  /**
   * Ours, with status 502, 503 or 504: the product works, but the chat server behind it cannot be reached or fails. The client may
   * retry.
   */
  'CHAT_SERVER_UNAVAILABLE',
  'INTERNAL',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'a boolean',
  int: 'an integer',
  number: 'an integer',
  array: 'a list',
  string: 'a string',
  object: 'a dict',
  record: 'a dict',
};

function pathOf(name: string, path: readonly PropertyKey[]): string {
  return name + path.map((step) => (typeof step === 'number' ? `[${step}]` : `["${String(step)}"]`)).join('');
}

/** Shortens a received value for an answer that repeats it, so that answers stay small. */
export const quoted = (text: string): string => text.slice(0, 1000);

export const parameterError = {
  missing: (name: string) => new ParameterError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name }),

  invalid: (name: string, value: string) =>
    new ParameterError('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${quoted(value)}`, {
      var_name: name,
      bad_value: quoted(value),
    }),

  confusing: (one: string, other: string) =>
    new ParameterError('REQUEST_CONFUSING_VAR', `Can't decide between '${one}' and '${other}' arguments`, {
      var_name1: one,
      var_name2: other,
    }),

  notJson: (name: string) => new ParameterError('BAD_REQUEST', `Argument "${name}" is not valid JSON.`),

  unfit(name: string, issue: z.core.$ZodIssue | undefined): ParameterError {
    if (issue?.code === 'invalid_type') {
      const expected = typeNames[issue.expected];
      if (expected) return new ParameterError('BAD_REQUEST', `${pathOf(name, issue.path)} is not ${expected}`);
    }
    if (issue?.code === 'too_big' && issue.origin === 'string') {
      const limit = String(issue.maximum);
      return new ParameterError('BAD_REQUEST', `${pathOf(name, issue.path)} is too long (limit: ${limit} characters)`);
    }
    if (issue?.code === 'unrecognized_keys') {
      return new ParameterError('BAD_REQUEST', `Unexpected arguments: ${issue.keys.join(', ')}`);
    }
    return new ParameterError('BAD_REQUEST', `Invalid ${name}`);
  },
};
