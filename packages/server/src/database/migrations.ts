/** Each step runs once per database. A released step never changes; new steps are added at the end. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE session (
    token_hash BLOB PRIMARY KEY,
    user_id INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    created INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_by_age ON session (created);

  CREATE TABLE department (
    department_cd TEXT PRIMARY KEY,
    parent TEXT REFERENCES department (department_cd),
    position INTEGER NOT NULL,
    display_name TEXT NOT NULL,
    stream_id INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE department_member (
    department_cd TEXT NOT NULL REFERENCES department (department_cd),
    user_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (department_cd, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX department_of_member ON department_member (user_id, position);

  CREATE TABLE file (
    stored_name TEXT PRIMARY KEY,
    place TEXT NOT NULL UNIQUE,
    uploader_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    type TEXT NOT NULL,
    created INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE file_message (
    stored_name TEXT NOT NULL REFERENCES file (stored_name),
    message_id INTEGER NOT NULL,
    stream_id INTEGER,
    PRIMARY KEY (stored_name, message_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE seeding (id INTEGER PRIMARY KEY CHECK (id = 1), finished INTEGER NOT NULL) STRICT;
  `,
  'CREATE INDEX file_of_uploader ON file (uploader_id, size)',
  `
  CREATE TABLE profile (user_id INTEGER PRIMARY KEY, location TEXT NOT NULL) STRICT;

  CREATE TABLE avatar (
    user_id INTEGER NOT NULL,
    version TEXT NOT NULL,
    type TEXT NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (user_id, version)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX avatar_version ON avatar (version);

  CREATE TABLE demo_member (email TEXT PRIMARY KEY, user_id INTEGER NOT NULL UNIQUE) STRICT, WITHOUT ROWID;
  `,
  'ALTER TABLE file_message DROP COLUMN stream_id',
  `
  ALTER TABLE profile ADD COLUMN reading TEXT NOT NULL DEFAULT '';
  ALTER TABLE profile ADD COLUMN title TEXT NOT NULL DEFAULT '';
  `,
  `
  CREATE TABLE session_with_use (
    token_hash BLOB PRIMARY KEY,
    id TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    user_agent TEXT NOT NULL,
    created INTEGER NOT NULL,
    used INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO session_with_use
    SELECT token_hash, lower(hex(randomblob(16))), user_id, sealed, '', created, created FROM session;
  DROP TABLE session;
  ALTER TABLE session_with_use RENAME TO session;
  CREATE INDEX session_by_age ON session (created);
  CREATE UNIQUE INDEX session_of_member ON session (user_id, id);
  `,
  `
  CREATE TABLE stream_picture (
    stream_id INTEGER NOT NULL,
    version TEXT NOT NULL,
    type TEXT NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (stream_id, version)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX stream_picture_version ON stream_picture (version);
  CREATE INDEX department_of_stream ON department (stream_id);
  `,
  'CREATE TABLE organisation_change (id TEXT PRIMARY KEY, change TEXT NOT NULL, made INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  'ALTER TABLE session ADD COLUMN key_id INTEGER',
  `
  CREATE TABLE one_time_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    purpose TEXT NOT NULL,
    terms TEXT NOT NULL,
    made_by INTEGER,
    made INTEGER NOT NULL,
    ends INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX one_time_link_for ON one_time_link (kind, purpose);
  CREATE INDEX one_time_link_by_end ON one_time_link (ends);
  `,
  `
  ALTER TABLE profile ADD COLUMN employee_number TEXT NOT NULL DEFAULT '';
  CREATE INDEX profile_by_employee_number ON profile (employee_number);
  `,
  // Partial indexes contain only unsent files, which are few, so that they stay small.
  `
  ALTER TABLE file ADD COLUMN sent INTEGER NOT NULL DEFAULT 0;
  UPDATE file SET sent = 1 WHERE stored_name IN (SELECT stored_name FROM file_message);
  DROP INDEX file_of_uploader;
  CREATE INDEX file_unsent_of_uploader ON file (uploader_id, size) WHERE sent = 0;
  CREATE INDEX file_unsent_by_age ON file (created) WHERE sent = 0;
  `,
  `
  CREATE TABLE known_device (
    token_hash BLOB NOT NULL,
    user_id INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (token_hash, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX known_device_of_member ON known_device (user_id, used);
  CREATE INDEX known_device_by_use ON known_device (used);
  `,
  'CREATE TABLE first_step (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID',
  'ALTER TABLE session ADD COLUMN deactivations INTEGER',
  "ALTER TABLE session ADD COLUMN address TEXT NOT NULL DEFAULT ''",
  // The partial index contains only ongoing calls, which are few.
  `
  CREATE TABLE call (
    id TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    kind TEXT NOT NULL,
    started_by INTEGER NOT NULL,
    started INTEGER NOT NULL,
    alive INTEGER NOT NULL,
    ended INTEGER,
    reason TEXT,
    message_id INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX call_ongoing ON call (started) WHERE ended IS NULL;
  CREATE INDEX call_by_age ON call (started);

  CREATE TABLE call_member (
    call_id TEXT NOT NULL REFERENCES call (id),
    user_id INTEGER NOT NULL,
    answer TEXT NOT NULL,
    first_joined INTEGER,
    last_left INTEGER,
    PRIMARY KEY (call_id, user_id)
  ) STRICT, WITHOUT ROWID;
  `,
  // Data of members that only the product stores if the chat server is Zulip. The id of a draft is not used again, because a device
  // that was offline may still change the draft that had it.
  `
  CREATE TABLE put_away (
    user_id INTEGER NOT NULL,
    stream_id INTEGER NOT NULL,
    newest_message INTEGER NOT NULL,
    PRIMARY KEY (user_id, stream_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE own_setting (
    user_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE draft (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    recipients TEXT NOT NULL,
    topic TEXT NOT NULL,
    content TEXT NOT NULL,
    edited INTEGER NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX draft_of_user ON draft (user_id, edited, id);

  CREATE TABLE tombstone (
    message_id INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    topic TEXT NOT NULL,
    sender_id INTEGER NOT NULL,
    timestamp INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tombstone_of_conversation ON tombstone (conversation, message_id);
  `,
  `
  CREATE TABLE sent_file (
    stored_name TEXT NOT NULL,
    message_id INTEGER NOT NULL,
    sender_id INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (stored_name, message_id)
  ) STRICT, WITHOUT ROWID;
  `,
  'CREATE TABLE zulip_site (id INTEGER PRIMARY KEY CHECK (id = 1), address TEXT NOT NULL) STRICT',
  'CREATE INDEX call_of_message ON call (message_id)',
  'CREATE TABLE sample (time INTEGER PRIMARY KEY, figures TEXT NOT NULL) STRICT',
  'CREATE TABLE emoji_picture (version TEXT PRIMARY KEY, type TEXT NOT NULL, size INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  `
  CREATE TABLE hook (
    bot_id INTEGER PRIMARY KEY,
    owner_id INTEGER NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    stream_id INTEGER NOT NULL,
    topic TEXT NOT NULL,
    created INTEGER NOT NULL,
    used INTEGER,
    error TEXT,
    error_time INTEGER
  ) STRICT;
  `,
  // The chat API names files by numbers.
  `
  CREATE TABLE attachment (id INTEGER PRIMARY KEY AUTOINCREMENT, stored_name TEXT NOT NULL UNIQUE) STRICT;
  INSERT INTO attachment (stored_name) SELECT stored_name FROM file ORDER BY created;
  CREATE INDEX file_of_member ON file (uploader_id, created, size);
  CREATE TRIGGER file_added AFTER INSERT ON file BEGIN
    INSERT INTO attachment (stored_name) VALUES (NEW.stored_name);
  END;
  CREATE TRIGGER file_removed AFTER DELETE ON file BEGIN
    DELETE FROM attachment WHERE stored_name = OLD.stored_name;
  END;
  `,
  `
  CREATE TABLE outgoing_hook (
    bot_id INTEGER PRIMARY KEY,
    owner_id INTEGER NOT NULL,
    address TEXT NOT NULL,
    stream_ids TEXT NOT NULL,
    secret TEXT NOT NULL,
    off TEXT,
    created INTEGER NOT NULL,
    cursor INTEGER NOT NULL,
    last_success INTEGER,
    failing_since INTEGER,
    error TEXT,
    error_status INTEGER,
    error_time INTEGER,
    message_id INTEGER,
    attempts INTEGER NOT NULL,
    first_attempt INTEGER,
    next_attempt INTEGER,
    dropped INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE hook_origin (origin TEXT PRIMARY KEY, is_private INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
];
