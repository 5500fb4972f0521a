/** The `to` of a send. A name that parses as JSON (`123`, `"x"`) is quoted, because the server would read it as an id. */
export function addressStream(name: string): string {
  try {
    JSON.parse(name);
    return JSON.stringify(name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return name;
  }
}

/** The `to` of a send or a typing notification. The sender may be included. */
export function addressDirect(userIds: readonly number[]): string {
  return JSON.stringify(userIds);
}
