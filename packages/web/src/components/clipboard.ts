/** Returns whether the text was copied. An insecure page has no clipboard, and a browser may refuse. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
