/** Bodies and answers of the administration calls. All but administrators and owners get UNAUTHORIZED_PRINCIPAL (403). */
import { z } from 'zod/mini';
import { botCreation } from './bots.ts';
import { readReceiptsShown, role } from './entities.ts';

/** The longest reading of a name, in code points. */
export const maxReadingLength = 100;
export const maxTitleLength = 100;
export const maxDepartmentName = 60;

export const maxDepartmentDepth = 10;
export const maxDepartments = 5000;
export const maxPosts = 20;

export const administeredMember = z.object({
  user_id: z.int(),
  full_name: z.string(),
  email: z.string(),
  role,
  is_active: z.boolean(),
  reading: z.string(),
  title: z.string(),
  /** Department codes, that of the main department first. */
  departments: z.array(z.string()),
  joined: z.int(),
  /** False until a member created by an administrator has set a password. */
  has_password: z.boolean(),
});
export type AdministeredMember = z.output<typeof administeredMember>;

/**
 * GET /api/administration/members?search=&state=active|inactive|all&department=&after=: 100 per page, ascending user id.
 * `search` matches name, reading and email.
 */
export const administeredMembers = z.object({
  members: z.array(administeredMember),
  /** Null on the last page. */
  next: z.nullable(z.int()),
  total: z.int(),
});
export type AdministeredMembers = z.output<typeof administeredMembers>;

/** POST /api/administration/members: creates a member without a password. Answers `createdMember`. */
export const memberCreation = z.object({
  full_name: z.string(),
  email: z.string().check(z.trim(), z.maxLength(320)),
  reading: z._default(z.string().check(z.trim(), z.maxLength(maxReadingLength)), ''),
  title: z._default(z.string().check(z.trim(), z.maxLength(maxTitleLength)), ''),
  role: z._default(role, 400),
  departments: z._default(z.array(z.string()).check(z.maxLength(maxPosts)), []),
});
export type MemberCreation = z.input<typeof memberCreation>;

/** A link that sets a password or accepts an invitation. Only its hash is stored, so it is shown once. `ends`: unix seconds. */
export const sentLink = z.object({ link: z.string(), ends: z.int(), mailed: z.boolean() });
export type SentLink = z.output<typeof sentLink>;
/** `link` is absent when AUTH_MODE=fake, because no password exists. */
export const createdMember = z.object({ user_id: z.int(), link: z.optional(sentLink) });

/**
 * PATCH /api/administration/members/{id}: changes the given fields atomically. A change of departments also joins and
 * leaves their streams. `is_active: false` ends the member's sessions, keys and queues. Answers `{}`.
 */
export const memberChange = z.object({
  full_name: z.optional(z.string()),
  email: z.optional(z.string().check(z.trim(), z.maxLength(320))),
  reading: z.optional(z.string().check(z.trim(), z.maxLength(maxReadingLength))),
  title: z.optional(z.string().check(z.trim(), z.maxLength(maxTitleLength))),
  role: z.optional(role),
  is_active: z.optional(z.boolean()),
  departments: z.optional(z.array(z.string()).check(z.maxLength(maxPosts))),
});
export type MemberChange = z.input<typeof memberChange>;

// POST /api/administration/members/{id}/reset answers `sentLink`.
// DELETE /api/administration/members/{id}/sessions ends sessions and keys.
export const maxInvitationsPerCall = 100;
/** POST /api/administration/invitations: invites each address. Answers `sentInvitations`. */
export const invitationCreation = z.object({
  emails: z.array(z.string().check(z.trim(), z.maxLength(320))).check(z.minLength(1), z.maxLength(maxInvitationsPerCall)),
  role: z._default(role, 400),
  departments: z._default(z.array(z.string()).check(z.maxLength(maxPosts)), []),
});
/** An address is in one of the lists; `code` is the reason of a refusal, for example EMAIL_IN_USE when a member has it. */
export const sentInvitations = z.object({
  sent: z.array(z.extend(sentLink, { email: z.string() })),
  refused: z.array(z.object({ email: z.string(), code: z.string() })),
});
export type SentInvitations = z.output<typeof sentInvitations>;
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
/** GET /api/administration/invitations: valid ones, newest first. DELETE `/{id}` revokes one and answers `{}`. */
export const invitations = z.object({ invitations: z.array(invitation) });
export type Invitations = z.output<typeof invitations>;

/** POST /api/administration/departments: creates a department and its stream. Answers `createdDepartment`. */
export const departmentCreation = z.object({ displayName: z.string(), parent: z.nullable(z.string()) });
export const createdDepartment = z.object({ departmentCd: z.string() });
/**
 * PATCH /api/administration/departments/{departmentCd}: a new name also renames the stream. `parent` and `position` (among
 * the siblings, from 0) move the department, but never below itself. Answers `{}`.
 */
export const departmentChange = z.object({
  displayName: z.optional(z.string()),
  parent: z.optional(z.nullable(z.string())),
  position: z.optional(z.int().check(z.gte(0))),
});
export type DepartmentChange = z.output<typeof departmentChange>;
// DELETE /api/administration/departments/{departmentCd}: deletes an empty department and archives its stream. Answers `{}`.
/** PATCH /api/administration/departments/{departmentCd}/members: added members get a further post. Answers `{}`. */
export const departmentMembers = z.object({
  add: z._default(z.array(z.int()).check(z.maxLength(1000)), []),
  remove: z._default(z.array(z.int()).check(z.maxLength(1000)), []),
});

export const administeredStream = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  is_archived: z.boolean(),
  is_public: z.boolean(),
  members: z.int(),
  departmentCd: z.nullable(z.string()),
  /** Null when the organisation created it. */
  creator_id: z.nullable(z.int()),
  created: z.int(),
});
/** GET /api/administration/streams?search=&after=: by name, 100 per page; `after` is the `next` of the page before. */
export const administeredStreams = z.object({ streams: z.array(administeredStream), next: z.nullable(z.string()) });
export type AdministeredStreams = z.output<typeof administeredStreams>;
export type AdministeredStream = z.output<typeof administeredStream>;

/** GET and PATCH /api/administration/organisation, PATCH with any subset. Limits in seconds; null: no limit. */
export const organisationSettings = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  description: z.string().check(z.maxLength(1000)),
  read_receipts: readReceiptsShown,
  bot_creation: botCreation,
  content_edit_limit: z.nullable(z.int().check(z.gte(60))),
  deletion_limit: z.nullable(z.int().check(z.gte(60))),
  topic_edit_limit: z.nullable(z.int().check(z.gte(60))),
});
export type OrganisationSettings = z.output<typeof organisationSettings>;

export const streamStay = z.object({ stream: z.string(), email: z.string(), full_name: z.string() });
export type StreamStay = z.output<typeof streamStay>;
/** The effects of a plan, previewed or applied. */
export const organisationDifference = z.object({
  departments: z.object({
    made: z.array(z.string()),
    moved: z.array(z.string()),
    renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  }),
  members: z.object({
    made: z.array(z.object({ email: z.string(), full_name: z.string() })),
    changed: z.array(z.object({ email: z.string(), full_name: z.string(), what: z.array(z.string()) })),
    same: z.int(),
  }),
  joins: z.array(streamStay),
  leaves: z.array(streamStay),
});
export type OrganisationDifference = z.output<typeof organisationDifference>;

/** The limits of an imported file: bytes, rows, and characters of a cell and of an employee number. */
export const maxImportBytes = 5_000_000;
export const maxImportRows = 20_000;
export const maxImportCell = 10_000;
export const maxEmployeeNumber = 64;

export const importEncodings = ['utf-8', 'shift_jis', 'utf-16le'] as const;
/**
 * POST /api/administration/import/read?encoding=, with the file as application/octet-stream: its table as text. Without
 * `encoding` the server detects it. FILE_NOT_READABLE when the file is not a table.
 */
export const importTable = z.object({
  encoding: z.enum(importEncodings),
  header: z.array(z.string()),
  rows: z.array(z.array(z.string())),
});
export type ImportTable = z.output<typeof importTable>;

export const importFaults = [
  'column-missing',
  'column-twice',
  'cells-too-many',
  'name-missing',
  'name-malformed',
  'name-in-use',
  'email-missing',
  'email-malformed',
  'email-twice',
  /** A member outside the file, or one whose address the file does not change, has this address. */
  'email-in-use',
  'number-twice',
  'department-malformed',
  'department-too-deep',
  'department-ambiguous',
  'departments-too-many',
  'role-unknown',
  'state-unknown',
  'text-too-long',
  'text-unreadable',
  'last-owner',
  'owners-only',
  /** People are managed in the chat server, and nobody there has this address. */
  'person-unknown',
  /** People are managed in the chat server, and this would change them. */
  'managed-elsewhere',
] as const;
export const importFault = z.object({
  /** The index of the row from 0. Null for the header. */
  row: z.nullable(z.int()),
  column: z.nullable(z.string()),
  fault: z.enum(importFaults),
  value: z.string(),
});
export type ImportFault = z.output<typeof importFault>;

export const maxImportFaults = 1000;
/**
 * The cells of the header or of a row: one line of a request with a table. Such a request is application/octet-stream in UTF-8, up to
 * 20 MB, and 1 MB for a line. The server reads line by line, because one large JSON text would hold up everybody else.
 */
export const importLine = z.array(z.string()).check(z.maxLength(200));
export const importLines = ({ header, rows }: Pick<ImportTable, 'header' | 'rows'>): string =>
  [header, ...rows].map((cells) => JSON.stringify(cells)).join('\n');
/** POST /api/administration/import/preview with `importLines`: a dry run. `difference` is present when there are no faults. */
export const importPreview = z.object({
  faults: z.array(importFault),
  /** The number of all faults, of which `faults` lists at most `maxImportFaults`. */
  fault_count: z.int(),
  ignored: z.array(z.string()),
  difference: z.optional(organisationDifference),
  /** Identifies the file and the organisation's state at the preview. `apply` must send the same value. */
  fingerprint: z.string(),
});
export type ImportPreview = z.output<typeof importPreview>;
/**
 * POST /api/administration/import/apply?fingerprint= with `importLines`: ORGANISATION_CHANGED (409) when the preview is stale. Answers
 * `importResult`.
 */
export const importResult = z.object({
  difference: organisationDifference,
  /** Active members in the file without a password, who need a link. Empty when AUTH_MODE=fake. */
  without_password: z.array(z.object({ user_id: z.int(), full_name: z.string(), email: z.string() })),
});
export type ImportResult = z.output<typeof importResult>;

/** The parts of setting up an organisation, in order. */
export const firstSteps = ['departments', 'invitations', 'streams', 'mail', 'backup'] as const;
export type FirstStep = (typeof firstSteps)[number];
/**
 * GET /api/administration/first-steps (AUTH_MODE=password): what is done, and what the operator has configured. PATCH with
 * `firstStepsChange` answers `{}`.
 */
export const firstStepsState = z.object({
  done: z.array(z.enum(firstSteps)),
  /** An administrator has put the guide away. It stays in the administration. */
  is_dismissed: z.boolean(),
  /** Null: the server sends no mail. Without user and password. */
  mail: z.nullable(z.object({ host: z.string(), port: z.int(), is_encrypted: z.boolean(), from: z.string() })),
  /** Unix seconds of the newest backup that was made by `engawa backup`. */
  last_backup: z.nullable(z.int()),
});
export type FirstStepsState = z.output<typeof firstStepsState>;
export const firstStepsChange = z.object({ is_dismissed: z.boolean() });

/** POST /api/administration/mail-test: mails the caller. `reason`: why the mail server did not accept it. NO_MAIL without one. */
export const mailTest = z.object({ to: z.string(), reason: z.nullable(z.string()) });
export type MailTest = z.output<typeof mailTest>;

/** One chart each. `…_ms` is the 95th percentile in milliseconds; `polls` is about the number of open screens. */
export const statusFigures = [
  'messages',
  'polls',
  'call_ms',
  'loop_ms',
  'commit_ms',
  'failed_calls',
  'failed_sign_ins',
  'free_bytes',
] as const;
export type StatusFigure = (typeof statusFigures)[number];

export const statusSeries = z.object({
  /** Seconds from one value to the next, unless the server did not run. */
  every: z.int(),
  /** Unix seconds, ascending. */
  times: z.array(z.int()),
  /** For each time; null: unknown. */
  values: z.record(z.enum(statusFigures), z.array(z.nullable(z.number()))),
});
export type StatusSeries = z.output<typeof statusSeries>;

/** GET /api/administration/status: how the server is doing. */
export const serverStatus = z.object({
  version: z.string(),
  node: z.string(),
  /** Unix seconds. */
  started: z.int(),
  /** Unix seconds; null: never. */
  last_backup: z.nullable(z.int()),
  disk: z.object({
    free_bytes: z.number(),
    database_bytes: z.number(),
    file_bytes: z.number(),
    /** At the pace of the last week; null: no end in sight, or nothing known yet. */
    days_left: z.nullable(z.int()),
  }),
  /** The doctor's findings, without its checks of the contents of databases and files. */
  findings: z.array(z.object({ level: z.enum(['ok', 'warning', 'problem']), ja: z.string(), en: z.string() })),
  day: statusSeries,
  week: statusSeries,
});
export type ServerStatus = z.output<typeof serverStatus>;

export const administrationPaths = {
  status: '/api/administration/status',
  members: '/api/administration/members',
  invitations: '/api/administration/invitations',
  departments: '/api/administration/departments',
  streams: '/api/administration/streams',
  hooks: '/api/administration/hooks',
  organisation: '/api/administration/organisation',
  firstSteps: '/api/administration/first-steps',
  mailTest: '/api/administration/mail-test',
  importRead: '/api/administration/import/read',
  importPreview: '/api/administration/import/preview',
  importApply: '/api/administration/import/apply',
  /** GET: the directory as an importable CSV file, UTF-8 with a byte order mark. */
  export: '/api/administration/export',
} as const;
