/** A released migration never changes, because existing databases do not run it again. Add new ones at the end. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE realm (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    epoch TEXT NOT NULL,
    created INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO counter (name, value) VALUES ('event', 0), ('pruned', 0);

  CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE,
    full_name TEXT NOT NULL,
    role INTEGER NOT NULL,
    is_active INTEGER NOT NULL DEFAULT 1,
    is_bot INTEGER NOT NULL DEFAULT 0,
    password TEXT NOT NULL,
    timezone TEXT NOT NULL,
    avatar_url TEXT,
    avatar_version INTEGER NOT NULL DEFAULT 1,
    date_joined INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE api_key (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES user (id),
    created INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX api_key_of_user ON api_key (user_id, id);

  CREATE TABLE conversation (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('stream', 'direct')),
    shared_history INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE stream (
    conversation_id INTEGER PRIMARY KEY REFERENCES conversation (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    invite_only INTEGER NOT NULL,
    is_archived INTEGER NOT NULL DEFAULT 0,
    creator_id INTEGER REFERENCES user (id),
    created INTEGER NOT NULL,
    first_message_id INTEGER
  ) STRICT;

  CREATE TABLE membership (
    id INTEGER PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    user_id INTEGER NOT NULL REFERENCES user (id),
    began_event INTEGER NOT NULL,
    began_message INTEGER NOT NULL,
    ended_event INTEGER,
    ended_message INTEGER,
    color TEXT NOT NULL,
    is_muted INTEGER NOT NULL DEFAULT 0,
    pin_to_top INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX membership_current ON membership (conversation_id, user_id) WHERE ended_event IS NULL;
  CREATE INDEX membership_of_user ON membership (user_id, conversation_id);

  CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    sender_id INTEGER NOT NULL REFERENCES user (id),
    topic TEXT NOT NULL,
    topic_key TEXT NOT NULL,
    content TEXT NOT NULL,
    client TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    last_edit_timestamp INTEGER,
    deleted INTEGER
  ) STRICT;
  CREATE INDEX message_of_conversation ON message (conversation_id, id);
  CREATE INDEX message_by_topic ON message (conversation_id, topic_key, id);
  CREATE INDEX message_by_sender ON message (conversation_id, sender_id, id);

  CREATE TABLE client_message (
    sender_id INTEGER NOT NULL REFERENCES user (id),
    client_message_id TEXT NOT NULL,
    message_id INTEGER NOT NULL REFERENCES message (id),
    sent INTEGER NOT NULL,
    PRIMARY KEY (sender_id, client_message_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX client_message_by_age ON client_message (sent);

  CREATE TABLE read_state (
    user_id INTEGER NOT NULL REFERENCES user (id),
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    ranges TEXT NOT NULL,
    PRIMARY KEY (user_id, conversation_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE message_flag (
    user_id INTEGER NOT NULL REFERENCES user (id),
    message_id INTEGER NOT NULL REFERENCES message (id),
    bits INTEGER NOT NULL,
    PRIMARY KEY (user_id, message_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    reach TEXT NOT NULL,
    reach_id INTEGER,
    message_id INTEGER,
    payload TEXT NOT NULL,
    created INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE queue (
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id),
    epoch TEXT NOT NULL,
    options TEXT NOT NULL,
    began INTEGER NOT NULL,
    lifespan INTEGER NOT NULL,
    contacted INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX queue_of_user ON queue (user_id);
  `,
  `
  ALTER TABLE realm ADD COLUMN content_edit_limit INTEGER DEFAULT 600;
  ALTER TABLE realm ADD COLUMN deletion_limit INTEGER DEFAULT 600;
  ALTER TABLE realm ADD COLUMN topic_edit_limit INTEGER DEFAULT 604800;
  ALTER TABLE user ADD COLUMN pointer INTEGER NOT NULL DEFAULT -1;
  ALTER TABLE queue ADD COLUMN key_id INTEGER REFERENCES api_key (id);
  CREATE INDEX queue_of_key ON queue (key_id);
  INSERT INTO counter (name, value) VALUES ('alert_words', 0);

  CREATE TABLE direct (
    conversation_id INTEGER PRIMARY KEY REFERENCES conversation (id),
    participants TEXT NOT NULL UNIQUE
  ) STRICT;

  ALTER TABLE message ADD COLUMN last_moved_timestamp INTEGER;
  ALTER TABLE message ADD COLUMN features INTEGER NOT NULL DEFAULT 0;
  -- As well as SQL can say it; what is written from now on is looked at with care.
  UPDATE message SET features = 1 WHERE content LIKE '%http://%' OR content LIKE '%https://%';
  UPDATE message SET features = 4 WHERE content LIKE 'engawa-file,%';
  CREATE INDEX message_with_link ON message (conversation_id, id) WHERE features & 1;
  CREATE INDEX message_with_image ON message (conversation_id, id) WHERE features & 2;
  CREATE INDEX message_with_attachment ON message (conversation_id, id) WHERE features & 4;
  CREATE INDEX message_to_all ON message (conversation_id, id) WHERE features & 8;
  CREATE INDEX message_flag_of_message ON message_flag (message_id);

  CREATE TABLE message_edit (
    id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL REFERENCES message (id),
    user_id INTEGER NOT NULL REFERENCES user (id),
    timestamp INTEGER NOT NULL,
    prev_content TEXT,
    prev_topic TEXT,
    topic TEXT
  ) STRICT;
  CREATE INDEX message_edit_of_message ON message_edit (message_id, id);

  CREATE TABLE reaction (
    id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL REFERENCES message (id),
    user_id INTEGER NOT NULL REFERENCES user (id),
    emoji_name TEXT NOT NULL,
    emoji_code TEXT NOT NULL,
    reaction_type TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX reaction_once ON reaction (message_id, user_id, reaction_type, emoji_code);

  CREATE TABLE alert_word (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id),
    word TEXT NOT NULL,
    word_key TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX alert_word_once ON alert_word (user_id, word_key);

  CREATE TABLE realm_emoji (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    source_url TEXT NOT NULL,
    author_id INTEGER REFERENCES user (id),
    deactivated INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX realm_emoji_active ON realm_emoji (name) WHERE deactivated = 0;

  CREATE TABLE linkifier (id INTEGER PRIMARY KEY, pattern TEXT NOT NULL, url_template TEXT NOT NULL) STRICT;
  `,
  `
  CREATE INDEX stream_public ON stream (name_key) WHERE invite_only = 0 AND is_archived = 0;
  CREATE INDEX user_by_name ON user (full_name COLLATE NOCASE);
  `,
  `
  CREATE INDEX stream_open ON stream (name_key) WHERE is_archived = 0;
  CREATE INDEX queue_by_end ON queue (contacted + lifespan);
  CREATE INDEX message_flag_starred ON message_flag (user_id, message_id) WHERE bits & 1;
  `,
  `
  ALTER TABLE user ADD COLUMN send_read_receipts INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE realm ADD COLUMN read_receipts TEXT NOT NULL DEFAULT 'own';
  `,
  `
  CREATE TABLE former_name (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES user (id), name TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX former_name_once ON former_name (user_id, name COLLATE NOCASE);
  CREATE INDEX former_name_by_name ON former_name (name COLLATE NOCASE);
  `,
  `
  CREATE TABLE user_setting (
    name TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES user (id),
    value TEXT NOT NULL,
    PRIMARY KEY (name, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX user_setting_of_user ON user_setting (user_id, name);
  INSERT INTO user_setting (name, user_id, value)
    SELECT 'send_read_receipts', id, 'false' FROM user WHERE send_read_receipts = 0;
  ALTER TABLE user DROP COLUMN send_read_receipts;
  `,
  `
  ALTER TABLE stream ADD COLUMN picture_url TEXT;
  ALTER TABLE membership ADD COLUMN desktop_notifications INTEGER;
  ALTER TABLE membership ADD COLUMN audible_notifications INTEGER;
  ALTER TABLE membership ADD COLUMN push_notifications INTEGER;
  ALTER TABLE membership ADD COLUMN email_notifications INTEGER;
  ALTER TABLE membership ADD COLUMN wildcard_mentions_notify INTEGER;
  ALTER TABLE membership ADD COLUMN put_away INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX membership_put_away ON membership (conversation_id, user_id) WHERE put_away = 1 AND ended_event IS NULL;
  `,
  `
  CREATE TABLE presence (
    user_id INTEGER PRIMARY KEY REFERENCES user (id),
    active INTEGER NOT NULL,
    idle INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE user_status (
    user_id INTEGER PRIMARY KEY REFERENCES user (id),
    status_text TEXT NOT NULL,
    emoji_name TEXT NOT NULL,
    emoji_code TEXT NOT NULL,
    reaction_type TEXT NOT NULL,
    ends INTEGER
  ) STRICT;
  CREATE INDEX user_status_by_end ON user_status (ends) WHERE ends IS NOT NULL;
  `,
  // Events about pictures no longer store the URL, because the picture may be hidden when the event is delivered.
  `
  UPDATE event
    SET payload = json_object('op', 'picture', 'userId', json_extract(payload, '$.person.user_id'))
    WHERE type = 'realm_user' AND json_type(payload, '$.person.avatar_url') IS NOT NULL;
  `,
  'CREATE TABLE reorganisation (id TEXT PRIMARY KEY, numbers TEXT NOT NULL) STRICT, WITHOUT ROWID',
  // A counter keeps key ids from being reused after all keys were deleted, because a session refers to its key by id.
  `
  ALTER TABLE api_key ADD COLUMN kind TEXT NOT NULL DEFAULT 'program';
  ALTER TABLE api_key ADD COLUMN last_used INTEGER;
  INSERT INTO counter (name, value) SELECT 'api_key', COALESCE(MAX(id), 0) FROM api_key;
  ALTER TABLE user ADD COLUMN deactivations INTEGER NOT NULL DEFAULT 0;
  `,
  // Finds the members of a conversation, who receive its events.
  'CREATE INDEX membership_of_conversation ON membership (conversation_id, user_id)',
  // Takes new read ranges when `read_state` is long, so that a send does not rewrite the long text.
  `
  CREATE TABLE read_recently (
    user_id INTEGER NOT NULL REFERENCES user (id),
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    ranges TEXT NOT NULL,
    PRIMARY KEY (user_id, conversation_id)
  ) STRICT, WITHOUT ROWID;
  `,
  // Finds messages by the stored name of their file, the last but one part between commas (`parseFileMessage`). The JSON
  // string of a text becomes a JSON list when its commas are replaced.
  `
  CREATE INDEX message_of_file
    ON message (sender_id, json_extract('[' || replace(json_quote(content), ',', '","') || ']', '$[#-2]'))
    WHERE features & 4;
  `,
  // `MessageNotice` in JSON, of a message that the server wrote about the stream.
  'ALTER TABLE message ADD COLUMN notice TEXT',
  // An id is not used again, because a device that was offline may still change the draft that had it.
  `
  CREATE TABLE draft (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES user (id),
    type TEXT NOT NULL,
    recipients TEXT NOT NULL,
    topic TEXT NOT NULL,
    content TEXT NOT NULL,
    edited INTEGER NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX draft_of_user ON draft (user_id, edited, id);
  `,
  // Counts the changes of what all members see of users, so that register can reuse its serialised users (`users/lists.ts`).
  `
  INSERT INTO counter (name, value) VALUES ('users', 0);
  CREATE TRIGGER user_added AFTER INSERT ON user BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TRIGGER user_changed
    AFTER UPDATE OF email, full_name, role, is_active, is_bot, timezone, avatar_url, avatar_version, date_joined ON user BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TRIGGER photo_audience_added AFTER INSERT ON user_setting WHEN NEW.name = 'photo_audience' BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TRIGGER photo_audience_changed AFTER UPDATE ON user_setting WHEN NEW.name = 'photo_audience' BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TRIGGER photo_audience_removed AFTER DELETE ON user_setting WHEN OLD.name = 'photo_audience' BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  `,
  // Blocks of read ranges, so that work on the newest messages does not grow with the number of ranges. `read_recently` had the
  // ranges after those of `read_state`, and its first range could overlap the last of those.
  `
  CREATE TABLE read_block (
    user_id INTEGER NOT NULL REFERENCES user (id),
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    began INTEGER NOT NULL,
    up_to INTEGER NOT NULL,
    ranges TEXT NOT NULL,
    PRIMARY KEY (user_id, conversation_id, up_to)
  ) STRICT, WITHOUT ROWID;
  WITH both AS (
    SELECT user_id, conversation_id, earlier.ranges AS earlier, recent.ranges AS recent,
      recent.ranges ->> '$[0][0]' <= earlier.ranges ->> '$[#-1][1]' + 1 AS touches
    FROM read_state AS earlier LEFT JOIN read_recently AS recent USING (user_id, conversation_id)
  ), separate AS (
    SELECT user_id, conversation_id,
      CASE WHEN touches
        THEN json_set(earlier, '$[#-1][1]', max(earlier ->> '$[#-1][1]', recent ->> '$[0][1]')) ELSE earlier END AS earlier,
      CASE WHEN touches THEN json_remove(recent, '$[0]') ELSE recent END AS recent
    FROM both
  )
  INSERT INTO read_block (user_id, conversation_id, began, up_to, ranges)
  SELECT user_id, conversation_id, 0, 9007199254740991,
    CASE WHEN recent IS NULL OR recent = '[]' THEN earlier ELSE rtrim(earlier, ']') || '],[' || ltrim(recent, '[') END
  FROM separate;
  DROP TABLE read_state;
  DROP TABLE read_recently;
  `,
  // Alert words in memory are updated by each change, so nothing asks for their version.
  "DELETE FROM counter WHERE name = 'alert_words'",
  // Also has what the lists of unread messages need, which would otherwise read a page of the table for nearly every message.
  `
  DROP INDEX message_of_conversation;
  CREATE INDEX message_of_conversation ON message (conversation_id, id, deleted, topic_key);
  `,
  // Together with `users`, counts the changes of what events about messages show, so that deliveries can share their texts.
  `
  INSERT INTO counter (name, value) VALUES ('messages', 0);
  CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TRIGGER message_edit_added AFTER INSERT ON message_edit BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TRIGGER message_edit_removed AFTER DELETE ON message_edit BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TRIGGER stream_added AFTER INSERT ON stream BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TRIGGER stream_changed AFTER UPDATE OF name, name_key, invite_only, is_archived ON stream BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TRIGGER realm_emoji_added AFTER INSERT ON realm_emoji BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TRIGGER linkifier_added AFTER INSERT ON linkifier BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TRIGGER former_name_added AFTER INSERT ON former_name BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  DROP TRIGGER photo_audience_added;
  DROP TRIGGER photo_audience_changed;
  DROP TRIGGER photo_audience_removed;
  CREATE TRIGGER audience_added AFTER INSERT ON user_setting WHEN NEW.name LIKE '%_audience' BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TRIGGER audience_changed AFTER UPDATE ON user_setting WHEN NEW.name LIKE '%_audience' BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TRIGGER audience_removed AFTER DELETE ON user_setting WHEN OLD.name LIKE '%_audience' BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  `,
  // Ids up to 100 are those of system groups. The counter is the version of the groups as register answers them.
  `
  CREATE TABLE user_group (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    description TEXT NOT NULL,
    code TEXT UNIQUE,
    creator_id INTEGER REFERENCES user (id),
    created INTEGER,
    deactivated INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO sqlite_sequence (name, seq) VALUES ('user_group', 100);
  CREATE INDEX user_group_name ON user_group (name_key);
  CREATE TABLE user_group_member (
    group_id INTEGER NOT NULL REFERENCES user_group (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES user (id),
    PRIMARY KEY (group_id, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX user_group_of_member ON user_group_member (user_id);
  CREATE TABLE user_group_subgroup (
    group_id INTEGER NOT NULL REFERENCES user_group (id) ON DELETE CASCADE,
    subgroup_id INTEGER NOT NULL,
    PRIMARY KEY (group_id, subgroup_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX user_group_of_subgroup ON user_group_subgroup (subgroup_id);
  INSERT INTO counter (name, value) VALUES ('user_groups', 0);
  CREATE TRIGGER user_group_added AFTER INSERT ON user_group BEGIN
    UPDATE counter SET value = value + 1 WHERE name IN ('user_groups', 'messages');
  END;
  CREATE TRIGGER user_group_changed AFTER UPDATE ON user_group BEGIN
    UPDATE counter SET value = value + 1 WHERE name IN ('user_groups', 'messages');
  END;
  CREATE TRIGGER user_group_removed AFTER DELETE ON user_group BEGIN
    UPDATE counter SET value = value + 1 WHERE name IN ('user_groups', 'messages');
  END;
  CREATE TRIGGER user_group_member_added AFTER INSERT ON user_group_member BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'user_groups';
  END;
  CREATE TRIGGER user_group_member_removed AFTER DELETE ON user_group_member BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'user_groups';
  END;
  CREATE TRIGGER user_group_subgroup_added AFTER INSERT ON user_group_subgroup BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'user_groups';
  END;
  CREATE TRIGGER user_group_subgroup_removed AFTER DELETE ON user_group_subgroup BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'user_groups';
  END;
  `,
  `
  CREATE TABLE user_topic (
    user_id INTEGER NOT NULL REFERENCES user (id),
    stream_id INTEGER NOT NULL REFERENCES stream (conversation_id),
    topic_key TEXT NOT NULL,
    topic TEXT NOT NULL,
    policy INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    PRIMARY KEY (user_id, stream_id, topic_key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE muted_user (
    user_id INTEGER NOT NULL REFERENCES user (id),
    muted_id INTEGER NOT NULL REFERENCES user (id),
    since INTEGER NOT NULL,
    PRIMARY KEY (user_id, muted_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX muted_user_by_muted ON muted_user (muted_id, user_id);
  `,
  // Bots. The key is readable, because the chat API shows it to the owner. `granted_role` is the highest role of a bot.
  `
  ALTER TABLE realm ADD COLUMN bot_creation TEXT NOT NULL DEFAULT 'everyone';
  ALTER TABLE user ADD COLUMN bot_type INTEGER;
  ALTER TABLE user ADD COLUMN bot_owner_id INTEGER REFERENCES user (id);
  ALTER TABLE user ADD COLUMN granted_role INTEGER;
  CREATE INDEX bot_of_owner ON user (bot_owner_id, id) WHERE bot_owner_id IS NOT NULL;
  CREATE TABLE bot (
    user_id INTEGER PRIMARY KEY REFERENCES user (id),
    api_key TEXT NOT NULL,
    default_sending_stream INTEGER REFERENCES stream (conversation_id),
    default_events_register_stream INTEGER REFERENCES stream (conversation_id),
    default_all_public_streams INTEGER NOT NULL
  ) STRICT;
  DROP TRIGGER user_changed;
  CREATE TRIGGER user_changed
    AFTER UPDATE OF email, full_name, role, is_active, is_bot, timezone, avatar_url, avatar_version, date_joined, bot_owner_id
    ON user BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  `,
  `
  CREATE TABLE scheduled_message (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES user (id),
    type TEXT NOT NULL,
    recipients TEXT NOT NULL,
    topic TEXT NOT NULL,
    content TEXT NOT NULL,
    client TEXT NOT NULL,
    due INTEGER NOT NULL,
    failed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX scheduled_message_of_user ON scheduled_message (user_id, due);
  CREATE INDEX scheduled_message_due ON scheduled_message (due) WHERE failed = 0;
  `,
  // A deactivated emoji is no longer shown in the text of messages.
  `
  CREATE TRIGGER realm_emoji_changed AFTER UPDATE ON realm_emoji BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  `,
  `
  ALTER TABLE stream ADD COLUMN is_default INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX stream_default ON stream (name_key) WHERE is_default = 1;
  `,
  // Profiles are part of the serialised users, hence the counter.
  `
  ALTER TABLE linkifier ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
  UPDATE linkifier SET position = id;
  CREATE TRIGGER linkifier_changed AFTER UPDATE ON linkifier BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TRIGGER linkifier_removed AFTER DELETE ON linkifier BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'messages';
  END;
  CREATE TABLE playground (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    pygments_language TEXT NOT NULL,
    url_template TEXT NOT NULL
  ) STRICT;
  CREATE TABLE profile_field (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    hint TEXT NOT NULL,
    field_data TEXT NOT NULL,
    in_summary INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE profile_value (
    field_id INTEGER NOT NULL REFERENCES profile_field (id),
    user_id INTEGER NOT NULL REFERENCES user (id),
    value TEXT NOT NULL,
    PRIMARY KEY (user_id, field_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX profile_value_of_field ON profile_value (field_id);
  CREATE TRIGGER profile_value_added AFTER INSERT ON profile_value BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TRIGGER profile_value_changed AFTER UPDATE ON profile_value BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TRIGGER profile_value_removed AFTER DELETE ON profile_value BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'users';
  END;
  CREATE TABLE bot_storage (
    user_id INTEGER NOT NULL REFERENCES user (id),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE file_link (
    stored_name TEXT NOT NULL,
    sender_id INTEGER NOT NULL REFERENCES user (id),
    message_id INTEGER NOT NULL REFERENCES message (id),
    PRIMARY KEY (sender_id, stored_name, message_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_link_of_message ON file_link (message_id);
  `,
  // A send appends to this index. In an index by time, ids of the same second are in random order, on many pages.
  `
  DROP INDEX client_message_by_age;
  CREATE INDEX client_message_of_message ON client_message (message_id, sent);
  `,
  // Sends of many members change few pages of these tables: the newest blocks of a conversation are next to each other, and so are
  // the ids that clients made at the same time. With the member first, each send changed a page of each table.
  `
  CREATE TABLE read_block_by_conversation (
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    user_id INTEGER NOT NULL REFERENCES user (id),
    began INTEGER NOT NULL,
    up_to INTEGER NOT NULL,
    ranges TEXT NOT NULL,
    PRIMARY KEY (conversation_id, up_to, user_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO read_block_by_conversation (conversation_id, user_id, began, up_to, ranges)
  SELECT conversation_id, user_id, began, up_to, ranges FROM read_block ORDER BY conversation_id, up_to, user_id;
  DROP TABLE read_block;
  ALTER TABLE read_block_by_conversation RENAME TO read_block;
  CREATE INDEX read_block_of_user ON read_block (user_id, conversation_id, up_to);
  CREATE TABLE client_message_by_id (
    client_message_id TEXT NOT NULL,
    sender_id INTEGER NOT NULL REFERENCES user (id),
    message_id INTEGER NOT NULL REFERENCES message (id),
    sent INTEGER NOT NULL,
    PRIMARY KEY (client_message_id, sender_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO client_message_by_id (client_message_id, sender_id, message_id, sent)
  SELECT client_message_id, sender_id, message_id, sent FROM client_message ORDER BY client_message_id, sender_id;
  DROP TABLE client_message;
  ALTER TABLE client_message_by_id RENAME TO client_message;
  CREATE INDEX client_message_of_message ON client_message (message_id, sent);
  `,
  // `messages/sentMessages.ts` says why these are not in an index of `message`. The last messages, less than 1,000, are added later.
  `
  CREATE TABLE sent_message (
    conversation_id INTEGER NOT NULL,
    sender_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, sender_id, message_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO sent_message (conversation_id, sender_id, message_id)
  SELECT conversation_id, sender_id, id FROM message INDEXED BY message_by_sender
  WHERE id <= (SELECT max(id) / 1000 * 1000 FROM message)
  ORDER BY conversation_id, sender_id, id;
  DROP INDEX message_by_sender;
  `,
  // SQLite itself counts the ids of events, so that an event is one statement instead of two.
  `
  CREATE TABLE event_by_id (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    reach TEXT NOT NULL,
    reach_id INTEGER,
    message_id INTEGER,
    payload TEXT NOT NULL,
    created INTEGER NOT NULL
  ) STRICT;
  INSERT INTO event_by_id (id, type, reach, reach_id, message_id, payload, created)
  SELECT id, type, reach, reach_id, message_id, payload, created FROM event ORDER BY id;
  DROP TABLE event;
  ALTER TABLE event_by_id RENAME TO event;
  DELETE FROM sqlite_sequence WHERE name = 'event';
  INSERT INTO sqlite_sequence (name, seq) SELECT 'event', value FROM counter WHERE name = 'event';
  DELETE FROM counter WHERE name = 'event';
  `,
  // A send appends a row here and adds to one index instead of two. No foreign keys: it has just read the member and added the message.
  `
  CREATE TABLE client_message_by_message (
    message_id INTEGER PRIMARY KEY,
    sender_id INTEGER NOT NULL,
    client_message_id TEXT NOT NULL,
    sent INTEGER NOT NULL
  ) STRICT;
  INSERT INTO client_message_by_message (message_id, sender_id, client_message_id, sent)
  SELECT message_id, sender_id, client_message_id, sent FROM client_message ORDER BY message_id;
  DROP TABLE client_message;
  ALTER TABLE client_message_by_message RENAME TO client_message;
  CREATE UNIQUE INDEX client_message_by_id ON client_message (client_message_id, sender_id);
  `,
  // Of older messages, the read ranges of their senders say it.
  'ALTER TABLE message ADD COLUMN read_by_sender INTEGER NOT NULL DEFAULT 0',
];
