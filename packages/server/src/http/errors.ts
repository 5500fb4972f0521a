import type { ErrorCode } from '@engawa/protocol';
import { imageRefusals } from '@engawa/protocol/uploads';
import type { FormFault } from './requestForm.ts';

/** A refusal that is answered in the chat API's form: `{result: 'error', msg, code}`. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly code: ErrorCode;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** Further fields of the answer. */
  readonly data: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    { retryAfter, data, ...options }: ErrorOptions & Pick<Partial<RefusedError>, 'retryAfter' | 'data'> = {},
  ) {
    super(message, options);
    this.data = data ?? {};
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

const notFound = (message: string) => new RefusedError(404, 'NOT_FOUND', message);
const badRequest = (message: string) => new RefusedError(400, 'BAD_REQUEST', message);

export const refused = {
  noMetrics: () =>
    new RefusedError(401, 'UNAUTHORIZED', 'Metrics require the token of METRICS_TOKEN, or a program on the same machine'),
  notLoggedIn: () => new RefusedError(401, 'UNAUTHORIZED', 'Not logged in: API authentication or user session required'),
  anotherMember: () =>
    new RefusedError(401, 'UNAUTHORIZED', 'This browser is signed in as a different member than the page was opened for.'),
  wrongPassword: () => new RefusedError(401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect'),
  weakPassword: () => new RefusedError(400, 'PASSWORD_TOO_WEAK', 'The password is too weak.'),
  tooManyAttempts: (seconds: number) =>
    new RefusedError(429, 'RATE_LIMIT_HIT', 'There were too many attempts.', { retryAfter: seconds }),
  tooBusy: () =>
    new RefusedError(503, 'RATE_LIMIT_HIT', 'Too many members are signing in at once. Please try again.', { retryAfter: 2 }),
  wrongSetupCode: () => new RefusedError(403, 'SETUP_CODE_WRONG', 'The setup code is wrong. It is in the log of this server.'),
  setupDone: () => new RefusedError(409, 'SETUP_DONE', 'The organisation already exists.'),
  // The text is the same for used, expired, revoked and unknown links.
  linkNotValid: () => new RefusedError(404, 'LINK_NOT_VALID', 'This link is not valid, or no longer valid.'),
  emailInUse: () => new RefusedError(409, 'EMAIL_IN_USE', 'A member already has this email.'),
  emailMalformed: () => new RefusedError(400, 'REQUEST_VARIABLE_INVALID', "Bad value for 'email'"),
  noMail: () => new RefusedError(400, 'NO_MAIL', 'This server sends no mail. Ask an administrator for a link.'),
  aboveThemselves: () => new RefusedError(403, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  memberDeactivated: () => new RefusedError(400, 'USER_DEACTIVATED', 'The member is deactivated.'),
  noSuchInvitation: () => notFound('There is no such invitation.'),
  tooManyInvitations: (limit: number) => badRequest(`There are ${limit} valid invitations. Revoke some first.`),
  noSuchKey: () => notFound('You have no such API key.'),
  notACandidate: () => new RefusedError(401, 'AUTHENTICATION_FAILED', 'No member of this organisation has this email'),
  foreignHost: (host: string) =>
    new RefusedError(421, 'BAD_REQUEST', `This server does not answer to the host '${host}'. See ALLOWED_HOSTS.`),
  foreignOrigin: () => new RefusedError(403, 'BAD_REQUEST', 'A change must come from a page of this server.'),
  malformedRequest: (fault: FormFault) =>
    fault === 'method'
      ? new RefusedError(405, 'BAD_REQUEST', 'This server does not support this method.')
      : new RefusedError(fault === 'headers' ? 431 : 400, 'BAD_REQUEST', `The request is malformed: ${fault}.`),
  notByHttps: () =>
    new RefusedError(
      403,
      'BAD_REQUEST',
      'This server requires https. Behind a proxy, set TRUSTED_PROXY and let the proxy send X-Forwarded-Proto.',
    ),
  noSuchCall: () => notFound('There is no such call in this API.'),
  bodyMalformed: (cause: unknown) => new RefusedError(400, 'BAD_REQUEST', 'The body of the request is malformed.', { cause }),
  badStoredName: () =>
    new RefusedError(
      400,
      'REQUEST_VARIABLE_INVALID',
      "Bad value for 'dstFileName': it must be 20 lower-case letters and digits, and an extension",
    ),
  storedNameTaken: () => new RefusedError(409, 'BAD_REQUEST', "The name in 'dstFileName' is taken."),
  pictureTooLarge: () => new RefusedError(422, 'PICTURE_TOO_LARGE', 'The picture has too many pixels to be shown. Download it.'),
  pictureUnreadable: () => new RefusedError(415, 'BAD_REQUEST', 'The file is no picture that can be shown. Download it.'),
  fileTooLarge: (limit: number) =>
    new RefusedError(413, 'PAYLOAD_TOO_LARGE', `The file is larger than the allowed limit of ${limit} bytes.`),
  fileNameTooLong: (limit: number) => badRequest(`The file's name is too long (limit: ${limit} characters)`),
  tooMuchUnsent: (limit: number) => badRequest(`Your unsent files exceed the limit of ${limit} bytes. Send some of them first.`),
  imageType: () => badRequest(imageRefusals.type),
  imageSize: () => new RefusedError(413, 'PAYLOAD_TOO_LARGE', imageRefusals.size),
  imageSide: (limit: number) => badRequest(`The image is more than ${limit} pixels wide or high.`),
  noSuchAttachment: () => badRequest('Invalid attachment'),
  emojiType: () => badRequest('A custom emoji must be a PNG, GIF, JPEG or WebP picture.'),
  emojiSize: (limit: number) => new RefusedError(413, 'PAYLOAD_TOO_LARGE', `The picture is larger than ${limit} bytes.`),
  managedInChatServer: () =>
    new RefusedError(400, 'UNAUTHORIZED_PRINCIPAL', 'The chat server of this organisation is changed only by an administrator.'),
  notInStreams: (names: readonly string[]) =>
    new RefusedError(400, 'STREAM_NOT_JOINED', `You are not in these private streams: ${names.join(', ')}.`, {
      data: { streams: names.join(', ') },
    }),
  noBuiltInPictures: () => badRequest('The chat server of this organisation has no built-in pictures. Upload an image.'),
  tooManyImages: () => badRequest('Other images of yours are still being uploaded.'),
  fileNotReadable: () =>
    new RefusedError(400, 'FILE_NOT_READABLE', 'The file is not a text table. Save it as CSV (in UTF-8 or Shift_JIS).'),
  tooManyRows: (limit: number) =>
    new RefusedError(413, 'PAYLOAD_TOO_LARGE', `The file has more rows than the allowed limit of ${limit}.`),
  organisationChanged: () =>
    new RefusedError(
      409,
      'ORGANISATION_CHANGED',
      'The organisation or the table has changed since the preview. Check the preview again.',
    ),
  toBeCompleted: (cause: unknown) =>
    new RefusedError(503, 'TO_BE_COMPLETED', 'The change is accepted and will be completed as soon as it can be stored.', {
      cause,
    }),
  // One text for a missing stream and one of others, so that it does not reveal whether the stream exists.
  notTheirStream: () =>
    new RefusedError(400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator, or have made the stream'),
  noSuchBot: () => notFound('There is no such bot.'),
  forPeople: () => new RefusedError(403, 'UNAUTHORIZED_PRINCIPAL', 'This call does not accept bots.'),
  noSuchPicture: () => notFound('There is no such picture.'),
  noSuchSession: () => notFound('You have no such session.'),
  notAdministrator: () => new RefusedError(403, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  noSuchMember: () => notFound('There is no such member.'),
  memberTwice: () => badRequest('A member is named twice.'),
  memberName: (why: string) => badRequest(why),
  textTooLong: (limit: number) => badRequest(`The text is too long (limit: ${limit} characters)`),
  tooManyPosts: (limit: number) => badRequest(`A member can belong to at most ${limit} departments.`),
  planTooLarge: (limit: number) => badRequest(`A plan may name at most ${limit} members.`),
  noSuchDepartment: () => notFound('There is no such department.'),
  departmentName: (why: string) => badRequest(`Bad name of a department: ${why}`),
  departmentTwice: () => badRequest('A department with this name already exists there.'),
  departmentNotEmpty: () => new RefusedError(400, 'DEPARTMENT_NOT_EMPTY', 'The department has members or departments below it.'),
  departmentBelowItself: () => badRequest('A department cannot be moved below itself.'),
  departmentTooDeep: (limit: number) => badRequest(`Departments can have at most ${limit} levels.`),
  tooManyDepartments: (limit: number) => badRequest(`There can be at most ${limit} departments.`),
  noSuchConversation: () => notFound('There is no such conversation.'),
  noSuchOngoingCall: () => notFound('There is no such call.'),
  nobodyToCall: () => badRequest('There is nobody else in this conversation.'),
  mayNotRing: () => badRequest('This conversation has too many members to ring them.'),
  nobodyToRing: () => badRequest('Those to ring are in the call already, or not in this conversation.'),
  callExists: (id: string) =>
    new RefusedError(409, 'CALL_EXISTS', 'This conversation already has a call.', { data: { call_id: id } }),
  inAnotherCall: (id: string) =>
    new RefusedError(409, 'IN_ANOTHER_CALL', 'The member is in a call on another device.', { data: { call_id: id } }),
  callFull: (limit: number) => new RefusedError(409, 'CALL_FULL', `The call is full (limit: ${limit} participants).`),
  callEnded: () => new RefusedError(410, 'CALL_ENDED', 'The call has ended.'),
  notInCall: () => new RefusedError(410, 'NOT_IN_CALL', 'The participant is not in the call. Join again.'),
  tooManyCalls: (seconds: number) =>
    new RefusedError(503, 'RATE_LIMIT_HIT', 'There are too many calls at once. Please try again.', { retryAfter: seconds }),
  noSuchHook: () => notFound('There is no such hook.'),
  noHooks: () => notFound('no_service: the chat server of this organisation has incoming webhooks of its own. Use its address.'),
  noHookKey: () =>
    new RefusedError(401, 'INVALID_API_KEY', 'Invalid API key: it must be the key of a bot for incoming webhooks.'),
  noSuchOutgoingHook: () => notFound('There is no such outgoing hook.'),
  hookAddressNotAllowed: () =>
    new RefusedError(400, 'ADDRESS_NOT_ALLOWED', 'Administrators allow no outgoing hook to this address.'),
  hookOffByAdministrator: () =>
    new RefusedError(
      403,
      'HOOK_OFF_BY_ADMINISTRATOR',
      'An administrator turned this hook off. Only administrators turn it on again.',
    ),
  hookSecretNotRenewed: () =>
    new RefusedError(400, 'HOOK_SECRET_NOT_RENEWED', 'The owner must renew the secret of this hook before it is turned on.'),
  hookOriginMalformed: () => badRequest('An origin is https:// or http:// with a host and perhaps a port, without a path.'),
  tooManyOutgoingHooks: (limit: number) =>
    new RefusedError(400, 'TOO_MANY_HOOKS', `There are ${limit} outgoing hooks. Remove some first.`),
  tooManyHookOrigins: (limit: number) =>
    new RefusedError(400, 'TOO_MANY_HOOK_ORIGINS', `There are ${limit} allowed origins. Remove some first.`),
  botHasHook: () => new RefusedError(400, 'BOT_HAS_HOOK', 'This bot has an outgoing hook already.'),
  noSuchFile: () => notFound('There is no such file.'),
};
