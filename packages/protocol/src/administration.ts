/** The administration page's calls: for administrators and owners. Everyone else is refused with UNAUTHORIZED_PRINCIPAL (403). */
import { z } from 'zod';
import { readReceiptsShown, role } from './entities.ts';

/** Characters (code points) of a reading, a post, and a department's name. */
export const maxReadingLength = 100;
export const maxTitleLength = 100;
export const maxDepartmentName = 60;
/** Levels of departments, and departments altogether. */
export const maxDepartmentDepth = 10;
export const maxDepartments = 5000;
/** Most departments of one member. */
export const maxPosts = 20;

export const administeredMember = z.object({
  user_id: z.int(),
  full_name: z.string(),
  email: z.string(),
  role,
  is_active: z.boolean(),
  /** Of the name, in kana. */
  reading: z.string(),
  /** Their post. */
  title: z.string(),
  /** `departmentCd` of those that they belong to, the main one first. */
  departments: z.array(z.string()),
  /** Unix seconds. */
  joined: z.int(),
  /** Whether they can sign in with a password: who was made by an administrator and has not set one yet cannot. */
  has_password: z.boolean(),
});
export type AdministeredMember = z.output<typeof administeredMember>;

/**
 * GET /api/administration/members?search=&state=active|inactive|all&department=&after=: by rising user id, 100 on a
 * page. `search` is compared with name, reading and email, as the search of members on the screens does.
 */
export const administeredMembers = z.object({
  members: z.array(administeredMember),
  /** What `after` is for the next page; null on the last. */
  next: z.int().nullable(),
  /** How many match altogether. */
  total: z.int(),
});
export type AdministeredMembers = z.output<typeof administeredMembers>;

/** POST /api/administration/members: makes a member without a password. Answers `createdMember`. */
export const memberCreation = z.object({
  full_name: z.string(),
  email: z.string().trim().max(320),
  reading: z.string().trim().max(maxReadingLength).default(''),
  title: z.string().trim().max(maxTitleLength).default(''),
  role: role.default(400),
  departments: z.array(z.string()).max(maxPosts).default([]),
});
export type MemberCreation = z.input<typeof memberCreation>;

/** A link that sets a password or accepts an invitation; shown once. */
export const sentLink = z.object({
  link: z.string(),
  /** Unix seconds. */
  ends: z.int(),
  /** Whether it went to the member by mail, too. */
  mailed: z.boolean(),
});
export type SentLink = z.output<typeof sentLink>;
/** `link` is absent in the fake mode, where nobody has a password. */
export const createdMember = z.object({ user_id: z.int(), link: sentLink.optional() });

/**
 * PATCH /api/administration/members/{id}: what is named changes, whole or not at all; the streams of departments are
 * joined and left with it. `is_active: false` deactivates: every session, key and queue of theirs ends. Answers `{}`.
 */
export const memberChange = z.object({
  full_name: z.string().optional(),
  email: z.string().trim().max(320).optional(),
  reading: z.string().trim().max(maxReadingLength).optional(),
  title: z.string().trim().max(maxTitleLength).optional(),
  role: role.optional(),
  is_active: z.boolean().optional(),
  /** The main one first. */
  departments: z.array(z.string()).max(maxPosts).optional(),
});
export type MemberChange = z.input<typeof memberChange>;

// POST /api/administration/members/{id}/reset: a link by which they set a password. Answers `sentLink`.
// DELETE /api/administration/members/{id}/sessions: ends all their sessions and keys. Answers `{}`.

/** POST /api/administration/invitations. Answers `sentLink`. EMAIL_IN_USE where it is a member's. */
export const invitationCreation = z.object({
  email: z.string().trim().max(320),
  role: role.default(400),
  departments: z.array(z.string()).max(maxPosts).default([]),
});
export type InvitationCreation = z.input<typeof invitationCreation>;
export const invitation = z.object({
  id: z.int(),
  email: z.string(),
  role,
  departments: z.array(z.string()),
  invited_by: z.int(),
  made: z.int(),
  ends: z.int(),
});
/** GET /api/administration/invitations: those that hold, the newest first. DELETE with `/{id}` takes one back: `{}`. */
export const invitations = z.object({ invitations: z.array(invitation) });
export type Invitations = z.output<typeof invitations>;

/** POST /api/administration/departments. Its stream is made with it. Answers `{ departmentCd }`. */
export const departmentCreation = z.object({
  displayName: z.string(),
  /** Null: a root. */
  parent: z.string().nullable(),
});
export const createdDepartment = z.object({ departmentCd: z.string() });
/**
 * PATCH /api/administration/departments/{departmentCd}: a new name carries the stream along; `parent` and `position`
 * (among its siblings, from 0) move it. A department cannot come below itself. Answers `{}`.
 */
export const departmentChange = z.object({
  displayName: z.string().optional(),
  parent: z.string().nullable().optional(),
  position: z.int().min(0).optional(),
});
export type DepartmentChange = z.output<typeof departmentChange>;
// DELETE /api/administration/departments/{departmentCd}: one that has neither members nor departments below; its stream
// is archived with it. Answers `{}`.
/** PATCH /api/administration/departments/{departmentCd}/members: who comes (as a further post) and who goes. Answers `{}`. */
export const departmentMembers = z.object({
  add: z.array(z.int()).max(1000).default([]),
  remove: z.array(z.int()).max(1000).default([]),
});

export const administeredStream = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  is_archived: z.boolean(),
  is_public: z.boolean(),
  members: z.int(),
  /** The department that it belongs to; null: a group. */
  departmentCd: z.string().nullable(),
  /** Who made it; null: the organisation. */
  creator_id: z.int().nullable(),
  created: z.int(),
});
/** GET /api/administration/streams?search=&after=: by name, 100 on a page; `after` is the `next` of the page before. Changes go by the chat API. */
export const administeredStreams = z.object({ streams: z.array(administeredStream), next: z.string().nullable() });
export type AdministeredStreams = z.output<typeof administeredStreams>;
export type AdministeredStream = z.output<typeof administeredStream>;

/** GET and PATCH /api/administration/organisation. Limits are in seconds; null: always. PATCH takes any part of it. */
export const organisationSettings = z.object({
  name: z.string().trim().min(1).max(100),
  description: z.string().max(1000),
  read_receipts: readReceiptsShown,
  content_edit_limit: z.int().min(60).nullable(),
  deletion_limit: z.int().min(60).nullable(),
  topic_edit_limit: z.int().min(60).nullable(),
});
export type OrganisationSettings = z.output<typeof organisationSettings>;

/** What a plan would do or has done, in the order in which it is told. */
export const streamStay = z.object({ stream: z.string(), email: z.string(), full_name: z.string() });
export const organisationDifference = z.object({
  departments: z.object({
    made: z.array(z.string()),
    moved: z.array(z.string()),
    renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  }),
  members: z.object({
    made: z.array(z.object({ email: z.string(), full_name: z.string() })),
    changed: z.array(z.object({ email: z.string(), full_name: z.string(), what: z.array(z.string()) })),
    /** How many are in it as they were. */
    same: z.int(),
  }),
  joins: z.array(streamStay),
  leaves: z.array(streamStay),
});
export type OrganisationDifference = z.output<typeof organisationDifference>;

/** Bytes of a file of people and departments, and its rows. */
export const maxImportBytes = 5_000_000;
export const maxImportRows = 20_000;

/** Characters of a cell that is imported: a longer one is the fault text-too-long. */
export const maxImportCell = 10_000;
/** Characters of an employee's number, which is text: 0012 is not 12. */
export const maxEmployeeNumber = 64;

export const importEncodings = ['utf-8', 'shift_jis', 'utf-16le'] as const;
/**
 * POST /api/administration/import/read?encoding=, the file as its body (application/octet-stream): its table as text.
 * Without an encoding it is told by the bytes. FILE_NOT_READABLE when it is no table.
 */
export const importTable = z.object({
  encoding: z.enum(importEncodings),
  /** As they stand in the file. */
  header: z.array(z.string()),
  rows: z.array(z.array(z.string())),
});
export type ImportTable = z.output<typeof importTable>;

/** What is wrong with a row: the screens and the command line say it in words. */
export const importFaults = [
  'column-missing',
  'column-twice',
  'cells-too-many',
  'name-missing',
  'name-malformed',
  'email-missing',
  'email-malformed',
  'email-twice',
  /** Another member's, who is not in the file or keeps it there. */
  'email-in-use',
  /** Of an employee. */
  'number-twice',
  'department-malformed',
  'department-too-deep',
  /** Several departments end in this path. */
  'department-ambiguous',
  'departments-too-many',
  'role-unknown',
  'state-unknown',
  'text-too-long',
  'text-unreadable',
  'last-owner',
  /** Only owners make owners, and change them. */
  'owners-only',
] as const;
export const importFault = z.object({
  /** Of the table's rows, from 0; null: of its header. */
  row: z.int().nullable(),
  column: z.string().nullable(),
  fault: z.enum(importFaults),
  /** What stood there. */
  value: z.string(),
});
export type ImportFault = z.output<typeof importFault>;

/** Faults that one preview tells: whoever mends so many sees the next ones then. */
export const maxImportFaults = 1000;
const importCells = z.array(z.string()).max(200);
/** POST /api/administration/import/preview: a dry run. `difference` is there when there are no faults. 20 MB of body at most. */
export const importRequest = z.object({ header: importCells, rows: z.array(importCells).max(maxImportRows) });
export const importPreview = z.object({
  faults: z.array(importFault),
  /** How many there are altogether. */
  fault_count: z.int(),
  /** Columns that say nothing which is imported. */
  ignored: z.array(z.string()),
  difference: organisationDifference.optional(),
  /** Names what was previewed and against what: applying asks for the same. */
  fingerprint: z.string(),
});
export type ImportPreview = z.output<typeof importPreview>;
/** POST /api/administration/import/apply: ORGANISATION_CHANGED (409) when the preview no longer holds. Answers `importResult`. */
export const importApplication = importRequest.extend({ fingerprint: z.string() });

export const importResult = z.object({
  difference: organisationDifference,
  /** Members of the file who are active and have no password: each needs a link to set one. None in the fake mode. */
  without_password: z.array(z.object({ user_id: z.int(), full_name: z.string(), email: z.string() })),
});
export type ImportResult = z.output<typeof importResult>;

export const administrationPaths = {
  members: '/api/administration/members',
  invitations: '/api/administration/invitations',
  departments: '/api/administration/departments',
  streams: '/api/administration/streams',
  organisation: '/api/administration/organisation',
  importRead: '/api/administration/import/read',
  importPreview: '/api/administration/import/preview',
  importApply: '/api/administration/import/apply',
  /** GET: the directory as a file of the form that is imported, UTF-8 with a byte order mark. */
  export: '/api/administration/export',
} as const;
