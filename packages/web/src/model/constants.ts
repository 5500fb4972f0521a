/** The constants of the specification (R9.6). */
export { pollDelay, retryDelay } from '@engawa/client';
export { storedNameLength as nameLength } from '@engawa/protocol';
/** Largest size of a profile image in bytes. */
export { maxImageBytes } from '@engawa/protocol/product';

/** Milliseconds after a new message and after a load; the list then scrolls to its end once more. */
export const scrollAfterMessage = 50;
export const scrollAfterLoad = 100;

/** Pixels. Narrower windows have the mobile layout. */
export const breakpoint = 900;
/** Pixels. */
export const pickerHeight = 320;
export const escapeKey = 27;

/** Japan is nine hours ahead of UTC. */
export const japanOffsetSeconds = 32_400;

/** Number of newest messages that opening a stream fetches. */
export const initialMessages = 20;
/** The topic of every message that the screens send. */
export { defaultTopic as topic } from '@engawa/protocol';
