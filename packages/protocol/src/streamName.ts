/** Names are the same when they differ only in case, width or space around them. */
export const streamNameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
