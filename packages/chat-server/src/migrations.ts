/** Released steps are never changed: a change of the tables is a new step at the end. */
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
];
