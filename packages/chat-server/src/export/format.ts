/**
 * The format that `manage.py import` of Zulip 8 reads: rows of Zulip's tables in JSON. The import gives everything new ids, and
 * follows references. https://zulip.readthedocs.io/en/8.4/production/export-and-import.html
 */
export type Tables = readonly (readonly [name: string, rows: Iterable<object>])[];

export const realmId = 1;

/** The ids of Zulip's recipients. Its three kinds are users, streams and groups of more than two users. */
export const recipientKinds = { user: 1, stream: 2, group: 3 } as const;
export const recipientOfUser = (userId: number): number => 2 * userId;
export const recipientOfConversation = (conversationId: number): number => 2 * conversationId + 1;

/** The bits of `flags_mask`, by their places in `AbstractUserMessage.ALL_FLAGS` of Zulip 8. */
export const flagMasks = {
  read: 1 << 0,
  starred: 1 << 1,
  collapsed: 1 << 2,
  mentioned: 1 << 3,
  stream_wildcard_mentioned: 1 << 4,
  has_alert_word: 1 << 9,
  historical: 1 << 10,
  is_private: 1 << 11,
} as const;

const charactersPerPart = 65_536;

/** One JSON object, in parts of some 64 KB. @param rest its other properties */
export function* tablesInJson(tables: Tables, rest: Readonly<Record<string, unknown>> = {}): Generator<string, void> {
  yield* inParts(tokens(tables, rest));
}

function* tokens(tables: Tables, rest: Readonly<Record<string, unknown>>): Generator<string, void> {
  yield '{';
  let comma = '';
  for (const [name, value] of Object.entries(rest)) {
    yield `${comma}${JSON.stringify(name)}:${JSON.stringify(value)}`;
    comma = ',';
  }
  for (const [name, rows] of tables) {
    yield `${comma}\n${JSON.stringify(name)}:`;
    yield* listTokens(rows);
    comma = ',';
  }
  yield '}\n';
}

/** PostgreSQL stores no null character. */
export function rowInJson(row: object): string {
  const text = JSON.stringify(row);
  return text.includes('\\u0000') ? JSON.stringify(row, withoutNulls) : text;
}

const withoutNulls = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;

export function* listInJson(rows: Iterable<object>): Generator<string, void> {
  yield* inParts(listTokens(rows));
}

function* listTokens(rows: Iterable<object>): Generator<string, void> {
  let before = '[\n';
  for (const row of rows) {
    yield before + rowInJson(row);
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : '\n]';
}

function* inParts(texts: Iterable<string>): Generator<string, void> {
  let part = '';
  for (const text of texts) {
    part += text;
    if (part.length < charactersPerPart) continue;
    yield part;
    part = '';
  }
  yield part;
}
