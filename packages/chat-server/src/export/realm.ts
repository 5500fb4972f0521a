import type { Reader } from '../database/index.ts';
import { streams } from '../conversations/streams.ts';
import { linkifiers, playgrounds, realms } from '../realm/store.ts';
import type { Clients } from './clients.ts';
import { groupRows, recipientRows, streamRows, subscriptionRows } from './conversations.ts';
import { type Tables, realmId } from './format.ts';
import { rowsOf } from './pages.ts';
import { exported } from './store.ts';
import { type Profiles, alertWordRows, presenceRows, profileFieldRow, profileValueRows, statusRows, userRows } from './users.ts';

export interface RealmDependencies {
  readonly reader: Reader;
  readonly clients: Clients;
  readonly hasPicture: (userId: number) => boolean;
  readonly profiles: Profiles;
}

/** Counts the rows of each table that was written. */
export type RowCounts = Map<string, number>;

/** The tables of realm.json. The import also reads those of `unused`, which are empty. */
export function realmTables(dependencies: RealmDependencies, counts: RowCounts): Tables {
  const { reader, clients, profiles } = dependencies;
  const tables: Tables = [
    ['zerver_realm', [realmRow(reader)]],
    ['zerver_realmauthenticationmethod', authenticationMethods.map((name, index) => ({ id: index + 1, realm: realmId, name }))],
    ['zerver_client', clients.rows],
    ['zerver_userprofile', userRows(reader, dependencies.hasPicture)],
    ['zerver_stream', streamRows(reader)],
    ['zerver_defaultstream', streams.defaultIds(reader).map((stream, index) => ({ id: index + 1, realm: realmId, stream }))],
    ['zerver_huddle', groupRows(reader)],
    ['zerver_recipient', recipientRows(reader)],
    ['zerver_subscription', subscriptionRows(reader)],
    ['zerver_reaction', reactionRows(reader)],
    ['zerver_realmfilter', linkifierRows(reader)],
    ['zerver_realmplayground', playgrounds.all(reader).map((row) => ({ ...row, realm: realmId }))],
    ['zerver_alertword', alertWordRows(reader)],
    ['zerver_userpresence', presenceRows(reader)],
    ['zerver_userstatus', statusRows(reader)],
    ['zerver_customprofilefield', profiles.fields.map(profileFieldRow)],
    ['zerver_customprofilefieldvalue', profileValueRows(profiles)],
    ...unused.map((name) => [name, []] as const),
  ];
  return tables.map(([name, rows]) => [name, counted(rows, name, counts)] as const);
}

const unused = [
  'zerver_userprofile_mirrordummy',
  'zerver_userprofile_crossrealm',
  'zerver_useractivity',
  'zerver_useractivityinterval',
  'zerver_realmdomain',
  'zerver_realmemoji',
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

function* reactionRows(reader: Reader): Generator<object, void> {
  for (const { id, user_id, message_id, ...emoji } of rowsOf((after, most) => exported.reactions(reader, after, most))) {
    yield { id, user_profile: user_id, message: message_id, ...emoji };
  }
}

/** Zulip allows a pattern once. The first has precedence. */
function linkifierRows(reader: Reader): object[] {
  const known = new Set<string>();
  return linkifiers
    .all(reader)
    .filter(({ pattern }) => known.size < known.add(pattern).size)
    .map(({ id, pattern, url_template }, order) => ({ id, realm: realmId, pattern, url_template, order }));
}
