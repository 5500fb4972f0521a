/**
 * A stream's name as the `to` of a send. A name that reads as JSON (`123`, `"x"`) would be taken for an id or a
 * quoted name, so it is quoted.
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

/** The members of a direct message as the `to` of a send or a typing notification. The sender may be among them. */
export function addressDirect(userIds: readonly number[]): string {
  return JSON.stringify(userIds);
}
