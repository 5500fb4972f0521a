/**
 * Encodes a stream's name as the `to` of a send. A name that parses as JSON (`123`, `"x"`) is quoted, because the server
 * would read it as an id or a quoted name.
 */
export function addressStream(name: string): string {
  try {
    JSON.parse(name);
    return JSON.stringify(name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return name;
  }
}

/** Encodes the members of a direct message as the `to` of a send or a typing notification. The sender may be included. */
export function addressDirect(userIds: readonly number[]): string {
  return JSON.stringify(userIds);
}
