/** The parameter `to` for a stream message. A name that is JSON (`123`, `"x"`) is quoted: the server would read it as an id. */
export function addressStream(name: string): string {
  try {
    JSON.parse(name);
    return JSON.stringify(name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return name;
  }
}

/** The parameter `to` for a direct message or typing event. The ids may include the sender. */
export function addressDirect(userIds: readonly number[]): string {
  return JSON.stringify(userIds);
}
