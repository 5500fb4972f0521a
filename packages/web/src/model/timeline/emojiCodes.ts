export async function loadEmojiCodes(): Promise<Readonly<Record<string, string>>> {
  return (await import('virtual:emoji-codes')).default;
}
