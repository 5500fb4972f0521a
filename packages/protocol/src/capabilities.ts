/**
 * The abilities of the server behind the screens that go beyond Zulip's feature level 218. Screens hide or explain everything that
 * is missing, and never ask which server it is.
 */
export const capabilities = [
  /** A repeated send with the same `client_message_id` creates nothing. */
  'client_message_id',
  /** Deleted messages keep their place, without content. */
  'include_deleted',
  /** The answer to a search says how far back it has examined. */
  'oldest_examined',
  'channels_subscribed',
  /** The narrow `in:own`: streams and direct conversations of the member. */
  'in_own',
  /** Messages can be fetched from a date (`anchor=date`). */
  'date_anchor',
  /** A search and the alert words find parts of words, and so Japanese words, which no spaces separate. */
  'substring_search',
  /** The narrow `has:attachment` finds the files of the product. */
  'file_narrow',
  /** Read receipts of many messages in one call, and their settings. */
  'read_receipts',
  'former_names',
  /** The mention of a department notifies its members. */
  'department_mentions',
  /** A member can archive a stream in their own list. */
  'put_away',
  'stream_pictures',
  /** A member chooses one of the product's own pictures as their profile picture. */
  'built_in_pictures',
  /** The creator of a stream manages it. */
  'creator_rights',
  /** An edit is refused if the message has changed meanwhile (`prev_content_sha256`). */
  'edit_guard',
  /** A draft is refused if another device has changed it meanwhile. */
  'draft_revisions',
  /** Settings that only the product has: density, frequent emoji. */
  'own_settings',
  /** A member chooses who sees their picture and status, and who adds them to groups. */
  'audiences',
  /** A status can end by itself. */
  'status_end',
  /** Members, passwords, invitations and API keys are managed in the product. */
  'accounts',
  /** Messages, accounts and profiles are stored on the server of the product. */
  'stores_messages',
  /** A guest sees only the members and streams of their conversations. */
  'guest_sight',
  /** Each session has a separate API key, so ending sessions does not sign out other programs of the member. */
  'session_keys',
  /** Administrators change departments in the product, and import them from a file. */
  'departments',
  /** Administrators list and change all streams of the organisation in the product. */
  'all_streams',
  /** Administrators change the settings of the organisation in the product. */
  'realm_settings',
  /** Members create bots here, and administrators give them to others. */
  'bots',
  /** Administrators see how the server of the product is doing. */
  'server_status',
  /** Members create addresses at which other programs post messages. */
  'hooks',
  /** Messages for bots are posted to addresses that administrators allow. */
  'outgoing_hooks',
  /** The event queue of the chat API carries the product's own events, such as the states of calls. Otherwise the live channel does. */
  'call_events',
] as const;
export type Capability = (typeof capabilities)[number];

const known: ReadonlySet<string> = new Set(capabilities);
export const isCapability = (name: string): name is Capability => known.has(name);
