/** The product's own calls, which are not part of the chat API. */
import { z } from 'zod/mini';
import type { Capability } from './capabilities.ts';
import { storagePath } from './fileMessage.ts';

export { capabilities, type Capability, isCapability } from './capabilities.ts';
export { type DepartmentGroup, departmentGroups, departmentsWithin } from './departmentGroups.ts';

/** `streamId` names its stream, because departments can have equal names. `memberIds` has no members of departments below. */
export interface DepartmentNode {
  readonly departmentCd: string;
  readonly displayName: string;
  readonly streamId?: number | undefined;
  readonly memberIds?: readonly number[] | undefined;
  readonly children?: readonly DepartmentNode[] | undefined;
}

export const departmentNode: z.ZodMiniType<DepartmentNode> = z.object({
  departmentCd: z.string(),
  displayName: z.string(),
  streamId: z.optional(z.int()),
  // Another back end may use this field name for something else. The rest of its tree is still usable.
  memberIds: z.catch(z.optional(z.array(z.int())), undefined),
  get children() {
    return z.optional(z.array(departmentNode));
  },
});

const nodes = z.union([
  z.array(departmentNode),
  z.pipe(
    departmentNode,
    z.transform((root) => [root]),
  ),
]);
const once = z.object({ data: nodes });
const twice = z.object({ data: once });
const thrice = z.object({ data: twice });

/** GET /api/department/tree. The tree is at data.data.data; another back end may wrap it only once or twice. */
export const departmentTree = z.union([
  z.pipe(
    thrice,
    z.transform((answer) => answer.data.data.data),
  ),
  z.pipe(
    twice,
    z.transform((answer) => answer.data.data),
  ),
  z.pipe(
    once,
    z.transform((answer) => answer.data),
  ),
]);

export const authModes = ['fake', 'password'] as const;
export type AuthMode = (typeof authModes)[number];

export const candidate = z.object({
  email: z.string(),
  full_name: z.string(),
  reading: z.string(),
  title: z.string(),
  department: z.string(),
  avatar_url: z.nullable(z.string()),
});
export type Candidate = z.output<typeof candidate>;

/** GET and POST /api/session */
export const session = z.object({
  auth_mode: z.enum(authModes),
  member: z.nullable(z.object({ user_id: z.int(), email: z.string(), full_name: z.string() })),
  /** Whether the member signed out in this browser. The fake sign-in then does not sign in a default member. */
  signed_out: z.boolean(),
  setup_needed: z.boolean(),
  /** Null before setup. */
  organisation: z.nullable(z.string()),
  mail: z.boolean(),
  /** False when the operator has turned calls off: their buttons are hidden, and every call of `calls.ts` is 404. */
  calls: z.boolean(),
  default_member: z.nullable(z.string()),
  candidates: z.array(candidate),
  /** Whether other machines can reach the fake sign-in. Every page then shows a warning. */
  fake_sign_in_exposed: z.boolean(),
  max_file_size: z.int(),
  /** Names that this version does not know stay, because nothing asks for them. The list of names would load with the first screen. */
  capabilities: z.array(z.custom<Capability>((name) => typeof name === 'string')),
});
export type Session = z.output<typeof session>;

/** POST /api/session, as JSON. Without a password when AUTH_MODE=fake. */
export const signIn = z.object({
  email: z.string().check(z.maxLength(320)),
  password: z.optional(z.string().check(z.maxLength(1000))),
});

/** The numbers of the pictures. There is no picture 5. */
export const builtInAvatars = [1, 2, 3, 4, 6, 7, 8] as const;
export type BuiltInAvatar = (typeof builtInAvatars)[number];

export function builtInAvatarPath(avatar: BuiltInAvatar): string {
  return `/avatars/avatar-${avatar}.svg`;
}

/** Data of a member that the chat server does not store. Unknown texts are empty. `departments`: codes, the main one first. */
export const directoryEntry = z.object({
  user_id: z.int(),
  /** The name in kana: family name, space, given name. */
  reading: z.string(),
  title: z.string(),
  departments: z.array(z.string()),
});
export type DirectoryEntry = z.output<typeof directoryEntry>;

/** GET /api/people?after=: ascending user id; `after` is the `next` of the page before, which is null on the last page. */
export const directoryPage = z.object({ people: z.array(directoryEntry), next: z.nullable(z.int()) });
export type DirectoryPage = z.output<typeof directoryPage>;

/** GET and POST /api/profile. Texts are empty until set. */
export const profile = z.object({
  name: z.string(),
  email: z.string(),
  location: z.string(),
  /** IANA name. */
  timezone: z.string(),
  avatar_url: z.nullable(z.string()),
});
export type Profile = z.output<typeof profile>;

/** Limits of a profile image: bytes, and pixels of width and height. */
export const maxImageBytes = 5_000_000;
export const maxImageSide = 1024;
/** The new picture when the form has no image. */
export const avatarChoice = z.enum(['keep', 'none', ...builtInAvatars.map((avatar) => `built-in:${avatar}` as const)]);
export type AvatarChoice = z.output<typeof avatarChoice>;

/** POST /api/streams/{stream_id}/picture, as a multipart form: either `picture`, or the file `image`. */
export const streamPictureForm = z.object({ picture: z.literal('none') });
export const streamPicture = z.object({ picture_url: z.nullable(z.string()) });
/** POST /api/bots/{user_id}/picture, with the form of `streamPictureForm`. */
export const botPicture = z.object({ avatar_url: z.nullable(z.string()) });

export const maxLocationLength = 100;
/** POST /api/profile, as a multipart form, with either `avatar` or the file `image`. */
export const profileForm = z.object({
  name: z.string(),
  email: z.string().check(z.trim()),
  location: z.string().check(
    z.trim(),
    z.refine((location) => location !== '' && [...location].length <= maxLocationLength),
  ),
  avatar: z.optional(avatarChoice),
});

/** The user id of a tab. Tabs share a cookie, so after another member signed in, the calls of a tab are refused with 401. */
export const memberHeader = 'engawa-member';

export const paths = {
  session: '/api/session',
  sessions: '/api/sessions',
  departmentTree: '/api/department/tree',
  people: '/api/people',
  upload: '/api/api/upload/file',
  /** The path is followed by the stored name; `?message=` is the message that contains the file. */
  storage: storagePath,
  profile: '/api/profile',
  /** The path is followed by the user id, a slash, and the version of the picture. */
  avatars: '/api/avatars/',
  /** The path is followed by the stream id and `/picture`, and for GET by a slash and the version of the picture. */
  streams: '/api/streams/',
  /** The path is followed by the user id of the bot and `/picture`. */
  bots: '/api/bots/',
  /** The path is followed by the version of the picture. */
  emoji: '/api/emoji/',
  /** Files by the links of other clients. The path is followed by the number of the organisation, the stored name and the name. */
  uploads: '/user_uploads/',
  logout: '/logout',
} as const;
