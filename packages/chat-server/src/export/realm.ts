import { createHash } from 'node:crypto';
import { maxStreamNameLength } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { linkifiers, realms } from '../realm/store.ts';
import type { Row } from '../schema.ts';
import { columns } from '../schema.ts';
import { settings } from '../settings/store.ts';
import type { Clients } from './clients.ts';
import { type Tables, realmId, recipientKinds, recipientOfConversation, recipientOfUser } from './format.ts';
import { participantsOf } from './messages.ts';
import { rowsOf } from './pages.ts';
import { exported } from './store.ts';

/** Texts of members that Zulip shows in their profiles, by user id and in the order of `fields`. */
export interface Profiles {
  readonly fields: readonly string[];
  readonly values: () => Iterable<{ readonly userId: number; readonly texts: readonly string[] }>;
}

export interface RealmDependencies {
  readonly reader: Reader;
  readonly clients: Clients;
  readonly hasPicture: (userId: number) => boolean;
  readonly profiles: Profiles;
}

/** Counts the rows of each table that was written. */
export type RowCounts = Map<string, number>;

/** The tables of realm.json. Those that the import reads but Engawa has no data for are empty. */
export function realmTables(dependencies: RealmDependencies, counts: RowCounts): Tables {
  const { reader, clients, profiles } = dependencies;
  const tables: Tables = [
    ['zerver_realm', [realmRow(reader)]],
    ['zerver_realmauthenticationmethod', authenticationMethods.map((name, index) => ({ id: index + 1, realm: realmId, name }))],
    ['zerver_client', clients.rows],
    ['zerver_userprofile', userRows(dependencies)],
    ['zerver_stream', streamRows(reader)],
    ['zerver_huddle', groupRows(reader)],
    ['zerver_recipient', recipientRows(reader)],
    ['zerver_subscription', subscriptionRows(reader)],
    ['zerver_reaction', reactionRows(reader)],
    ['zerver_realmfilter', linkifierRows(reader)],
    ['zerver_alertword', alertWordRows(reader)],
    ['zerver_userpresence', presenceRows(reader)],
    ['zerver_userstatus', statusRows(reader)],
    ['zerver_customprofilefield', profiles.fields.map(fieldRow)],
    ['zerver_customprofilefieldvalue', fieldValueRows(profiles)],
    ...unused.map((name) => [name, []] as const),
  ];
  return tables.map(([name, rows]) => [name, counted(rows, name, counts)] as const);
}

const unused = [
  'zerver_userprofile_mirrordummy',
  'zerver_userprofile_crossrealm',
  'zerver_useractivity',
  'zerver_useractivityinterval',
  'zerver_defaultstream',
  'zerver_realmdomain',
  'zerver_realmemoji',
  'zerver_realmplayground',
];

function* counted(rows: Iterable<object>, name: string, counts: RowCounts): Generator<object, void> {
  counts.set(name, 0);
  for (const row of rows) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    yield row;
  }
}

/** Zulip's names. The settings of the server decide which of them can be used. */
const authenticationMethods = [
  'Email',
  'LDAP',
  'RemoteUser',
  'SAML',
  'OpenID Connect',
  'AzureAD',
  'Google',
  'GitHub',
  'GitLab',
  'Apple',
];

/** Zulip's policies: everyone, and administrators only. */
const policies = { everyone: 5, administrators: 2 } as const;

function realmRow(reader: Reader) {
  const realm = realms.get(reader);
  if (!realm) throw new Error('the database has no organisation');
  return {
    id: realmId,
    // The import replaces both by the subdomain that it is given.
    string_id: '',
    name: realm.name,
    description: realm.description,
    date_created: realm.created,
    deactivated: false,
    default_language: 'ja',
    notifications_stream: null,
    signup_notifications_stream: null,
    invite_required: true,
    // Zulip has no receipts of only one's own messages.
    enable_read_receipts: realm.read_receipts === 'all',
    allow_message_editing: true,
    allow_edit_history: true,
    message_content_edit_limit_seconds: realm.content_edit_limit,
    message_content_delete_limit_seconds: realm.deletion_limit,
    move_messages_within_stream_limit_seconds: realm.topic_edit_limit,
    delete_own_message_policy: policies.everyone,
    edit_topic_policy: policies.everyone,
  };
}

/** The settings of members that Zulip has too, under the same names. */
const sharedSettings = [
  'send_read_receipts',
  'presence_enabled',
  'send_private_typing_notifications',
  'send_stream_typing_notifications',
  'enable_drafts_synchronization',
  'enter_sends',
  'color_scheme',
  'default_language',
  'enable_desktop_notifications',
  'enable_stream_desktop_notifications',
  'enable_sounds',
  'notification_sound',
] as const;

const genericBot = 1;

function* userRows({ reader, hasPicture }: RealmDependencies): Generator<object, void> {
  for (const user of rowsOf((after, most) => exported.users(reader, after, most))) {
    yield {
      id: user.id,
      realm: realmId,
      email: user.email,
      delivery_email: user.email,
      full_name: user.full_name,
      role: user.role,
      is_active: user.is_active === 1,
      is_bot: user.is_bot === 1,
      bot_type: user.is_bot === 1 ? genericBot : null,
      bot_owner: null,
      is_mirror_dummy: false,
      long_term_idle: false,
      last_active_message_id: null,
      date_joined: user.date_joined,
      last_login: null,
      last_reminder: null,
      timezone: user.timezone,
      avatar_source: hasPicture(user.id) ? 'U' : 'G',
      avatar_version: 1,
      default_sending_stream: null,
      default_events_register_stream: null,
      user_permissions: [],
      groups: [],
      ...columns(settings.of(reader, user.id), sharedSettings),
    };
  }
}

const conversationsIn = (reader: Reader) => rowsOf((after, most) => exported.conversations(reader, after, most));

function* streamRows(reader: Reader): Generator<object, void> {
  for (const { id, kind, name, description, invite_only, is_archived, created, shared_history } of conversationsIn(reader)) {
    if (kind !== 'stream') continue;
    const isPrivate = invite_only === 1 || is_archived === 1;
    yield {
      id,
      realm: realmId,
      name: is_archived === 1 ? archivedName(id, name ?? '') : name,
      description: (description ?? '').replaceAll('\n', ' '),
      date_created: created,
      deactivated: is_archived === 1,
      invite_only: isPrivate,
      // Zulip has no public streams with a hidden history.
      history_public_to_subscribers: !isPrivate || shared_history === 1,
      is_web_public: false,
      stream_post_policy: 1,
      message_retention_days: null,
    };
  }
}

/** As Zulip renames a stream when it is archived, so that the name is free. */
function archivedName(id: number, name: string): string {
  const prefix = createHash('sha512').update(String(id)).digest('hex').slice(0, 7);
  return [...`${prefix}!DEACTIVATED:${name}`].slice(0, maxStreamNameLength).join('');
}

/** Direct conversations of more than two users. */
function* groupsIn(reader: Reader): Generator<{ readonly id: number; readonly userIds: readonly number[] }, void> {
  for (const { id, participants } of conversationsIn(reader)) {
    const userIds = participants === null ? [] : participantsOf(participants);
    if (userIds.length > 2) yield { id, userIds };
  }
}

function* groupRows(reader: Reader): Generator<object, void> {
  for (const { id, userIds } of groupsIn(reader)) {
    yield { id, huddle_hash: createHash('sha1').update(userIds.join()).digest('hex') };
  }
}

function* recipientRows(reader: Reader): Generator<object, void> {
  for (const { id } of rowsOf((after, most) => exported.users(reader, after, most))) {
    yield { id: recipientOfUser(id), type: recipientKinds.user, type_id: id };
  }
  for (const { id, kind } of conversationsIn(reader)) {
    if (kind === 'stream') yield { id: recipientOfConversation(id), type: recipientKinds.stream, type_id: id };
  }
  for (const { id } of groupsIn(reader)) {
    yield { id: recipientOfConversation(id), type: recipientKinds.group, type_id: id };
  }
}

/** Zulip also has a subscription of each user to themselves, and of the users of a group to the group. */
function* subscriptionRows(reader: Reader): Generator<object, void> {
  let id = 0;
  const row = (user_profile: number, recipient: number, own: object = directSubscription) => {
    id += 1;
    return { id, user_profile, recipient, active: true, ...own };
  };
  for (const user of rowsOf((after, most) => exported.users(reader, after, most))) yield row(user.id, recipientOfUser(user.id));
  for (const membership of rowsOf((after, most) => exported.subscriptions(reader, after, most))) {
    yield row(membership.user_id, recipientOfConversation(membership.conversation_id), subscriptionColumns(membership));
  }
  for (const { id: group, userIds } of groupsIn(reader)) {
    for (const userId of userIds) yield row(userId, recipientOfConversation(group));
  }
}

const directSubscription = { is_muted: false, pin_to_top: false, color: '#c2c2c2' };

const optional = (value: number | null): boolean | null => (value === null ? null : value === 1);

function subscriptionColumns(membership: Row<'membership'>) {
  return {
    is_muted: membership.is_muted === 1,
    pin_to_top: membership.pin_to_top === 1,
    color: membership.color,
    desktop_notifications: optional(membership.desktop_notifications),
    audible_notifications: optional(membership.audible_notifications),
    push_notifications: optional(membership.push_notifications),
    email_notifications: optional(membership.email_notifications),
    wildcard_mentions_notify: optional(membership.wildcard_mentions_notify),
  };
}

/** Custom emoji have no file that could be moved, and Zulip's import fails at a reaction without its emoji. */
const hasImage = ({ reaction_type }: { readonly reaction_type: string }): boolean => reaction_type !== 'realm_emoji';

function* reactionRows(reader: Reader): Generator<object, void> {
  for (const reaction of rowsOf((after, most) => exported.reactions(reader, after, most))) {
    if (!hasImage(reaction)) continue;
    const { id, user_id, message_id, ...emoji } = reaction;
    yield { id, user_profile: user_id, message: message_id, ...emoji };
  }
}

/** Zulip allows a pattern once. The first has precedence. */
function linkifierRows(reader: Reader): object[] {
  const byPattern = new Map(
    linkifiers
      .all(reader)
      .toReversed()
      .map((each) => [each.pattern, each]),
  );
  return [...byPattern.values()]
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, pattern, url_template }, order) => ({ id, realm: realmId, pattern, url_template, order }));
}

function alertWordRows(reader: Reader): object[] {
  return exported.alertWords(reader).map(({ id, user_id, word }) => ({ id, realm: realmId, user_profile: user_id, word }));
}

function presenceRows(reader: Reader): object[] {
  return exported.presences(reader).map(({ user_id, active, idle }, index) => ({
    id: index + 1,
    realm: realmId,
    user_profile: user_id,
    last_active_time: active,
    last_connected_time: Math.max(active, idle),
  }));
}

/** Only those that everyone may see, because Zulip shows a status to everyone. */
function statusRows(reader: Reader): object[] {
  const audiences = settings.audiences(reader, 'status_audience');
  const isOpen = (userId: number): boolean => (audiences.get(userId)?.audience ?? 'everyone') === 'everyone';
  return exported
    .statuses(reader)
    .filter((status) => hasImage(status) && isOpen(status.user_id))
    .map(({ user_id, reaction_type: type, ...status }, index) => ({
      id: index + 1,
      user_profile: user_id,
      client: 1,
      timestamp: realms.get(reader)?.created,
      ...status,
      // A status without an emoji has none of our types.
      reaction_type: type === '' ? 'unicode_emoji' : type,
    }));
}

const shortText = 1;

function fieldRow(name: string, index: number) {
  const place = { id: index + 1, realm: realmId, order: index };
  return { ...place, name, hint: '', field_type: shortText, field_data: '', display_in_profile_summary: false };
}

function* fieldValueRows({ values }: Profiles): Generator<object, void> {
  let id = 0;
  for (const { userId, texts } of values()) {
    for (const [index, value] of texts.entries()) {
      if (value === '') continue;
      id += 1;
      yield { id, user_profile: userId, field: index + 1, value, rendered_value: null };
    }
  }
}
