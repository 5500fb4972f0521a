/** Equal for names that differ only in case, width or surrounding space. */
export const streamNameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
