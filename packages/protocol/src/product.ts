/** The product's own calls, beside the chat API: what `server` answers and `web` reads. */
import { z } from 'zod';
import { storagePath } from './fileMessage.ts';

export { type DepartmentGroup, departmentGroups, departmentsWithin } from './departmentGroups.ts';

/**
 * R3.4. A node may carry more fields: `streamId` binds it to its stream where two departments share a name, `memberIds`
 * are the users of the chat server who belong to it, without those of the departments below.
 */
export interface DepartmentNode {
  readonly departmentCd: string;
  readonly displayName: string;
  readonly streamId?: number | undefined;
  readonly memberIds?: readonly number[] | undefined;
  readonly children?: readonly DepartmentNode[] | undefined;
}

export const departmentNode: z.ZodType<DepartmentNode> = z.object({
  departmentCd: z.string(),
  displayName: z.string(),
  streamId: z.int().optional(),
  // What another back end may call so is no reason to do without its tree.
  memberIds: z.array(z.int()).optional().catch(undefined),
  get children() {
    return z.array(departmentNode).optional();
  },
});

const nodes = z.union([z.array(departmentNode), departmentNode.transform((root) => [root])]);
const once = z.object({ data: nodes });
const twice = z.object({ data: once });
const thrice = z.object({ data: twice });

/** GET /api/department/tree. The tree is read at data.data.data; an existing back end may wrap it once or twice. */
export const departmentTree = z.union([
  thrice.transform((answer) => answer.data.data.data),
  twice.transform((answer) => answer.data.data),
  once.transform((answer) => answer.data),
]);

export const authModes = ['fake', 'password'] as const;
export type AuthMode = (typeof authModes)[number];

/** Somebody who can be picked at the fake sign-in. */
export const candidate = z.object({
  email: z.string(),
  full_name: z.string(),
  reading: z.string(),
  title: z.string(),
  department: z.string(),
  avatar_url: z.string().nullable(),
});
export type Candidate = z.output<typeof candidate>;

/** GET and POST /api/session */
export const session = z.object({
  auth_mode: z.enum(authModes),
  /** The member who is signed in; null when nobody is. */
  member: z.object({ user_id: z.int(), email: z.string(), full_name: z.string() }).nullable(),
  /** Whether this browser was signed out on purpose, so that nobody is signed in by default. */
  signed_out: z.boolean(),
  /** Whether there is no organisation yet: whoever has the code from the log makes it. */
  setup_needed: z.boolean(),
  /** Its name; null before there is one. */
  organisation: z.string().nullable(),
  /** Whether the product can send mail, so that a forgotten password is no reason to ask an administrator. */
  mail: z.boolean(),
  default_member: z.string().nullable(),
  candidates: z.array(candidate),
  /** Shown on every page where fake sign-in reaches beyond this machine. */
  fake_sign_in_exposed: z.boolean(),
  /** Bytes. */
  max_file_size: z.int(),
  /** What the chat server behind offers beyond its API: `include_deleted`, `client_message_id`. */
  extensions: z.array(z.string()),
});
export type Session = z.output<typeof session>;

/** POST /api/session, as JSON. In the fake mode nobody is asked for a password. */
export const signIn = z.object({ email: z.string().max(320), password: z.string().max(1000).optional() });

/** What a browser says that it is; null where nobody can tell. */
export const device = z.object({ browser: z.string().nullable(), system: z.string().nullable() });
export type Device = z.output<typeof device>;

/** One of the member's own sessions, by an id that is not its secret. Times are unix seconds. */
export const ownSession = device.extend({
  id: z.string(),
  signed_in: z.int(),
  /** To within some minutes. */
  last_used: z.int(),
  /** It is the one that asks. */
  current: z.boolean(),
});
export type OwnSession = z.output<typeof ownSession>;

/**
 * GET /api/sessions: the one that was used last first. DELETE ends all but the one that asks, and with `/{id}` added
 * just that one; both answer `{}`.
 */
export const ownSessions = z.object({ sessions: z.array(ownSession) });
export type OwnSessions = z.output<typeof ownSessions>;

/** R2.26: the pictures that lie among the screens. There is no fifth. */
export const builtInAvatars = [1, 2, 3, 4, 6, 7, 8] as const;
export type BuiltInAvatar = (typeof builtInAvatars)[number];

export function builtInAvatarPath(avatar: BuiltInAvatar): string {
  return `/avatars/avatar-${avatar}.svg`;
}

/** What the product knows of a member beside the chat server. What nobody has said is empty. */
export const directoryEntry = z.object({
  user_id: z.int(),
  /** Of the name, in kana: family name, a blank, given name. */
  reading: z.string(),
  /** Their post in the organisation. */
  title: z.string(),
  /** The `departmentCd` of those that they belong to, the main one first. */
  departments: z.array(z.string()),
});
export type DirectoryEntry = z.output<typeof directoryEntry>;

/** GET /api/people, with `?after=` and the `next` of the page before. By rising user id. */
export const directoryPage = z.object({
  people: z.array(directoryEntry),
  /** Null on the last page. */
  next: z.int().nullable(),
});
export type DirectoryPage = z.output<typeof directoryPage>;

/** GET and POST /api/profile: what a member says of themselves. */
export const profile = z.object({
  name: z.string(),
  email: z.string(),
  /** Empty until it was said. */
  location: z.string(),
  /** Of the IANA time zone database; empty until it was said. */
  timezone: z.string(),
  avatar_url: z.string().nullable(),
});
export type Profile = z.output<typeof profile>;

/** Of a profile image: bytes, and pixels in width and in height. */
export const maxImageBytes = 5_000_000;
export const maxImageSide = 4096;
/** Why a profile image is refused (R5.2), in the same words in every language. Its type is looked at first. */
export const imageRefusals = {
  type: 'Sorry you can only upload JPG|JPEG|PNG|GIF files.',
  size: 'Sorry File size exceeding from 5 Mb',
} as const;

/** What becomes of the picture when no image comes with the form. */
export const avatarChoice = z.enum(['keep', 'none', ...builtInAvatars.map((avatar) => `built-in:${avatar}` as const)]);
export type AvatarChoice = z.output<typeof avatarChoice>;

/** POST /api/streams/{stream_id}/picture, as a multipart form: `picture`, which is `none`, or the file `image`. */
export const streamPictureForm = z.object({ picture: z.literal('none') });
export const streamPicture = z.object({ picture_url: z.string().nullable() });

/** Characters (code points). */
export const maxLocationLength = 100;

/** POST /api/profile, as a multipart form: these, and either `avatar` or the file `image`. */
export const profileForm = z.object({
  name: z.string(),
  email: z.string().trim(),
  location: z
    .string()
    .trim()
    .refine((location) => location !== '' && [...location].length <= maxLocationLength),
  avatar: avatarChoice.optional(),
});

/**
 * The user id of the member that a screen was opened for. A browser has one session, and another tab may have changed
 * whose it is: a call that names another member than the session's is refused with 401.
 */
export const memberHeader = 'engawa-member';

export const paths = {
  session: '/api/session',
  sessions: '/api/sessions',
  departmentTree: '/api/department/tree',
  people: '/api/people',
  upload: '/api/api/upload/file',
  /** Followed by the stored name; `?message=` names the message whose reader asks. */
  storage: storagePath,
  profile: '/api/profile',
  /** Followed by the user's id, a slash, and the picture's version. */
  avatars: '/api/avatars/',
  /** Followed by the stream's id, `/picture`, and of one that is there a slash and its version. */
  streams: '/api/streams/',
  logout: '/logout',
} as const;
