/**
 * Reads an export as `manage.py import` of Zulip 8 does: every table that it needs, with no column that its models do not have, new
 * ids for everything, and references that must lead somewhere. Facts from zerver/lib/import_realm.py and zerver/models.
 */
import { z } from 'zod';

const id = z.int().positive();
const unixSeconds = z.number().nonnegative();
const optionalSwitch = z.boolean().nullable();
const nothing = z.array(z.never());

const realmRow = z.strictObject({
  id,
  string_id: z.string().max(40),
  name: z.string().max(40).or(z.string()),
  description: z.string(),
  date_created: unixSeconds,
  deactivated: z.boolean(),
  default_language: z.enum(['ja', 'en']),
  notifications_stream: z.null(),
  signup_notifications_stream: z.null(),
  invite_required: z.boolean(),
  enable_read_receipts: z.boolean(),
  allow_message_editing: z.boolean(),
  allow_edit_history: z.boolean(),
  message_content_edit_limit_seconds: z.int().positive().nullable(),
  message_content_delete_limit_seconds: z.int().positive().nullable(),
  move_messages_within_stream_limit_seconds: z.int().positive().nullable(),
  delete_own_message_policy: z.int().min(1).max(6),
  edit_topic_policy: z.int().min(1).max(6),
});

const userRow = z.strictObject({
  id,
  realm: id,
  email: z.email().max(254),
  delivery_email: z.email().max(254),
  full_name: z.string().min(1).max(100),
  role: z.union([z.literal(100), z.literal(200), z.literal(300), z.literal(400), z.literal(600)]),
  is_active: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner: id.nullable(),
  is_mirror_dummy: z.literal(false),
  long_term_idle: z.literal(false),
  last_active_message_id: id.nullable(),
  date_joined: unixSeconds,
  last_login: unixSeconds.nullable(),
  last_reminder: unixSeconds.nullable(),
  timezone: z.string().max(40),
  translate_emoticons: z.literal(false),
  avatar_source: z.enum(['G', 'U']),
  avatar_version: z.int().min(1).max(32_767),
  default_sending_stream: id.nullable(),
  default_events_register_stream: id.nullable(),
  user_permissions: nothing,
  groups: nothing,
  send_read_receipts: z.boolean(),
  presence_enabled: z.boolean(),
  send_private_typing_notifications: z.boolean(),
  send_stream_typing_notifications: z.boolean(),
  enable_drafts_synchronization: z.boolean(),
  enter_sends: z.boolean(),
  color_scheme: z.int().min(1).max(3),
  default_language: z.enum(['ja', 'en']),
  enable_desktop_notifications: z.boolean(),
  enable_stream_desktop_notifications: z.boolean(),
  enable_sounds: z.boolean(),
  notification_sound: z.string().max(20),
  twenty_four_hour_time: z.boolean(),
  pm_content_in_desktop_notifications: z.boolean(),
  display_emoji_reaction_users: z.boolean(),
  emojiset: z.enum(['google', 'google-blob', 'twitter', 'text']),
  starred_message_counts: z.boolean(),
});

/** PostgreSQL counts code points. */
const characters = (most: number) => z.string().refine((text) => [...text].length <= most);

const streamRow = z.strictObject({
  id,
  realm: id,
  name: characters(60),
  description: characters(1024).refine((text) => !text.includes('\n')),
  date_created: unixSeconds,
  deactivated: z.boolean(),
  invite_only: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_web_public: z.literal(false),
  stream_post_policy: z.literal(1),
  message_retention_days: z.null(),
});

const subscriptionRow = z.strictObject({
  id,
  user_profile: id,
  recipient: id,
  active: z.literal(true),
  is_muted: z.boolean(),
  pin_to_top: z.boolean(),
  color: z.string().regex(/^#[\da-f]{6}$/i),
  desktop_notifications: optionalSwitch.optional(),
  audible_notifications: optionalSwitch.optional(),
  push_notifications: optionalSwitch.optional(),
  email_notifications: optionalSwitch.optional(),
  wildcard_mentions_notify: optionalSwitch.optional(),
});

const emoji = {
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(['unicode_emoji', 'zulip_extra_emoji']),
};

const realmFile = z.strictObject({
  sort_by_date: z.literal(true),
  zerver_realm: z.tuple([realmRow]),
  zerver_realmauthenticationmethod: z.array(z.strictObject({ id, realm: id, name: z.string() })).min(1),
  zerver_client: z.array(z.strictObject({ id, name: characters(30) })),
  zerver_userprofile: z.array(userRow),
  zerver_stream: z.array(streamRow),
  zerver_huddle: z.array(z.strictObject({ id, huddle_hash: z.string().regex(/^[\da-f]{40}$/) })),
  zerver_recipient: z.array(z.strictObject({ id, type: z.union([z.literal(1), z.literal(2), z.literal(3)]), type_id: id })),
  zerver_subscription: z.array(subscriptionRow),
  zerver_reaction: z.array(z.strictObject({ id, user_profile: id, message: id, ...emoji })),
  zerver_realmfilter: z.array(
    z.strictObject({ id, realm: id, pattern: z.string(), url_template: z.string(), order: z.int().min(0) }),
  ),
  zerver_alertword: z.array(z.strictObject({ id, realm: id, user_profile: id, word: z.string() })),
  zerver_userpresence: z.array(
    z.strictObject({ id, realm: id, user_profile: id, last_active_time: unixSeconds, last_connected_time: unixSeconds }),
  ),
  zerver_userstatus: z.array(
    z.strictObject({
      id,
      user_profile: id,
      client: id,
      timestamp: unixSeconds,
      status_text: z.string().max(255),
      ...emoji,
    }),
  ),
  zerver_customprofilefield: z.array(
    z.strictObject({
      id,
      realm: id,
      name: z.string().max(40),
      hint: z.string().max(80),
      order: z.int(),
      field_type: z.literal(1),
      field_data: z.literal(''),
      display_in_profile_summary: z.boolean(),
    }),
  ),
  zerver_customprofilefieldvalue: z.array(
    z.strictObject({ id, user_profile: id, field: id, value: z.string().min(1), rendered_value: z.null() }),
  ),
  zerver_userprofile_mirrordummy: nothing,
  zerver_userprofile_crossrealm: nothing,
  zerver_useractivity: nothing,
  zerver_useractivityinterval: nothing,
  zerver_defaultstream: z.array(z.strictObject({ id, realm: id, stream: id })),
  zerver_realmdomain: nothing,
  zerver_realmemoji: nothing,
  zerver_realmplayground: z.array(
    z.strictObject({ id, realm: id, name: z.string(), pygments_language: characters(40), url_template: z.string() }),
  ),
});

const edit = z.strictObject({
  user_id: z.null(),
  timestamp: unixSeconds,
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().startsWith('<p>').optional(),
  prev_rendered_content_version: z.literal(1).optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
});

const messageRow = z.strictObject({
  id,
  realm: id,
  sender: id,
  recipient: id,
  subject: characters(60),
  date_sent: unixSeconds,
  sending_client: id,
  content: z.string().min(1),
  // The import renders the content.
  rendered_content: z.null(),
  rendered_content_version: z.null(),
  has_attachment: z.boolean(),
  has_image: z.boolean(),
  has_link: z.boolean(),
  last_edit_time: unixSeconds.nullable(),
  edit_history: z.string().nullable(),
});

export const messageFile = z.strictObject({
  zerver_message: z.array(messageRow),
  zerver_usermessage: z.array(
    z.strictObject({
      id,
      user_profile: id,
      message: id,
      flags_mask: z
        .int()
        .min(0)
        .max(2 ** 13 - 1),
    }),
  ),
});

const attachmentFile = z.strictObject({
  zerver_attachment: z.array(
    z.strictObject({
      id,
      realm: id,
      owner: id,
      file_name: z.string().min(1),
      path_id: z.string(),
      create_time: unixSeconds,
      size: z.int().min(0),
      is_realm_public: z.boolean(),
      is_web_public: z.literal(false),
      messages: z.array(id).min(1),
      scheduled_messages: nothing,
    }),
  ),
});

const stored = { realm_id: id, user_profile_id: id, path: z.string(), s3_path: z.string(), size: z.int() };
const uploadRecords = z.array(z.strictObject({ ...stored, content_type: z.string(), last_modified: unixSeconds }));
const avatarRecords = z.array(
  z.strictObject({
    ...stored,
    s3_path: z.string().endsWith('.original'),
    user_profile_email: z.email(),
    content_type: z.string(),
    last_modified: unixSeconds,
    importer_should_thumbnail: z.literal(true),
  }),
);

/** The parsed JSON files of an export. */
export interface ZulipFiles {
  readonly realm: unknown;
  readonly messages: readonly unknown[];
  readonly attachments: unknown;
  readonly uploads: unknown;
  readonly avatars: unknown;
}

/** `ALL_FLAGS` of Zulip 8, in the order of the bits. */
const flagNames = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'group_mentioned',
  'force_expand',
  'force_collapse',
  'has_alert_word',
  'historical',
  'is_private',
  'active_mobile_push_notification',
];

/** A message after the import. */
export interface ZulipMessage {
  readonly oldId: number;
  readonly newId: number;
  readonly sender: string;
  readonly client: string;
  /** The name of a stream, or the email addresses of all participants. */
  readonly audience: string | readonly string[];
  readonly topic: string;
  readonly content: string;
  readonly timestamp: number;
  readonly lastEdit: number | null;
  readonly edits: readonly z.output<typeof edit>[];
  readonly has: { readonly attachment: boolean; readonly image: boolean; readonly link: boolean };
  /** By email address. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly reactions: readonly { readonly by: string; readonly name: string }[];
}

const firstNewId = 5001;

/** The new ids of a table's rows, in order. The importer takes them from a sequence. */
function newIds(rows: readonly { readonly id: number }[]): ReadonlyMap<number, number> {
  const ids = new Map(rows.map((row, index) => [row.id, firstNewId + index]));
  if (ids.size < rows.length) throw new Error('an id occurs twice');
  return ids;
}

export function found<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key, what: string): Value {
  const value = values.get(key);
  if (value === undefined) throw new Error(`${what} ${String(key)} is not in the export`);
  return value;
}

const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> =>
  new Map(rows.map((row) => [row.id, row]));

export type ZulipOrganisation = ReturnType<typeof importZulip>;

/** @throws for what Zulip's import would refuse. */
export function importZulip(files: ZulipFiles) {
  const realm = realmFile.parse(files.realm);
  const messageFiles = files.messages.map((file) => messageFile.parse(file));
  const uploads = uploadRecords.parse(files.uploads);
  const { zerver_attachment: attachments } = attachmentFile.parse(files.attachments);
  const users = byId(realm.zerver_userprofile);
  const emailOf = (userId: number): string => found(users, userId, 'user').email;
  const audienceOf = audiences(realm, emailOf);
  const clients = byId(realm.zerver_client);

  const rows = messageFiles.flatMap((file) => file.zerver_message);
  const sorted = rows.toSorted((one, other) => Math.floor(one.date_sent) - Math.floor(other.date_sent) || one.id - other.id);
  const messageIds = newIds(sorted);
  const newPaths = new Map(uploads.map(({ s3_path }, index) => [s3_path, `7/new/${index}`]));
  const flags = flagsByMessage(messageFiles, messageIds, emailOf);
  const reactions = Map.groupBy(realm.zerver_reaction, ({ message }) => message);
  const streamsById = byId(realm.zerver_stream);
  for (const { stream } of realm.zerver_defaultstream) found(streamsById, stream, 'the default stream');
  for (const { message } of realm.zerver_reaction) found(messageIds, message, 'the message of a reaction');
  for (const file of attachments) {
    found(newPaths, file.path_id, 'the upload of an attachment');
    for (const message of file.messages) found(messageIds, message, 'the message of an attachment');
    emailOf(file.owner);
  }

  const messages = sorted.map((row): ZulipMessage => {
    const edits = row.edit_history === null ? [] : z.array(edit).min(1).parse(JSON.parse(row.edit_history));
    if (edits.some(({ timestamp }, index) => timestamp > (edits[index - 1]?.timestamp ?? Infinity))) {
      throw new Error(`the edits of message ${row.id} do not begin with the newest`);
    }
    if (edits[0] && edits[0].timestamp !== row.last_edit_time) throw new Error(`message ${row.id} was last edited later`);
    const [recipientKind, audience] = audienceOf(row.recipient, row.sender);
    if (recipientKind !== 'stream' && row.subject !== '') throw new Error(`direct message ${row.id} has a topic`);
    return {
      oldId: row.id,
      newId: found(messageIds, row.id, 'message'),
      sender: emailOf(row.sender),
      client: found(clients, row.sending_client, 'client').name,
      audience,
      topic: row.subject,
      content: row.has_attachment ? withNewPaths(row.content, newPaths) : row.content,
      timestamp: row.date_sent,
      lastEdit: row.last_edit_time,
      edits,
      has: { attachment: row.has_attachment, image: row.has_image, link: row.has_link },
      flags: flags.get(row.id) ?? new Map<string, readonly string[]>(),
      reactions: (reactions.get(row.id) ?? []).map((each) => ({ by: emailOf(each.user_profile), name: each.emoji_name })),
    };
  });
  return {
    realm,
    users: new Map([...users.values()].map((user) => [user.email, user])),
    streams: new Map(realm.zerver_stream.map((stream) => [stream.name, stream])),
    subscriptions: realm.zerver_subscription.map((row) => ({
      ...row,
      by: emailOf(row.user_profile),
      to: audienceOf(row.recipient)[1],
    })),
    messages,
    attachments,
    uploads,
    newPaths,
    avatars: avatarRecords.parse(files.avatars),
    userMessages: messageFiles.flatMap((file) => file.zerver_usermessage).length,
    emailOf,
  };
}

type Audience = readonly [kind: 'user' | 'stream' | 'group', audience: string | readonly string[]];

function audiences(realm: z.output<typeof realmFile>, emailOf: (userId: number) => string) {
  const recipients = byId(realm.zerver_recipient);
  const streams = byId(realm.zerver_stream);
  const groups = byId(realm.zerver_huddle);
  const pairs = new Set(realm.zerver_subscription.map(({ user_profile, recipient }) => `${user_profile} ${recipient}`));
  if (pairs.size < realm.zerver_subscription.length) throw new Error('a user has two subscriptions to one recipient');
  const subscribers = Map.groupBy(realm.zerver_subscription, ({ recipient }) => recipient);
  return (recipientId: number, senderId?: number): Audience => {
    const { type, type_id: typeId } = found(recipients, recipientId, 'recipient');
    if (type === 2) return ['stream', found(streams, typeId, 'stream').name];
    if (type === 1) return ['user', [...new Set([typeId, senderId ?? typeId])].map(emailOf).toSorted()];
    found(groups, typeId, 'group');
    return ['group', (subscribers.get(recipientId) ?? []).map(({ user_profile }) => emailOf(user_profile)).toSorted()];
  };
}

function flagsByMessage(
  files: readonly z.output<typeof messageFile>[],
  messageIds: ReadonlyMap<number, number>,
  emailOf: (userId: number) => string,
): ReadonlyMap<number, Map<string, readonly string[]>> {
  const flags = new Map<number, Map<string, readonly string[]>>();
  const imported = new Set<number>();
  for (const file of files) {
    for (const { id: messageId } of file.zerver_message) imported.add(messageId);
    for (const row of file.zerver_usermessage) {
      found(messageIds, row.message, 'the message of a user');
      if (!imported.has(row.message)) throw new Error(`message ${row.message} is in a later file than its users`);
      const own = flags.get(row.message) ?? new Map<string, readonly string[]>();
      flags.set(row.message, own);
      const email = emailOf(row.user_profile);
      if (own.has(email)) throw new Error(`message ${row.message} has two rows of ${email}`);
      own.set(
        email,
        flagNames.filter((_, bit) => row.flags_mask & (1 << bit)),
      );
    }
  }
  return flags;
}

function withNewPaths(content: string, newPaths: ReadonlyMap<string, string>): string {
  return [...newPaths].reduce((text, [before, after]) => text.replaceAll(before, after), content);
}
