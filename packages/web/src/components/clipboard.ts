/** There is no clipboard on a page that did not come by a secure connection, and a browser may refuse it. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
