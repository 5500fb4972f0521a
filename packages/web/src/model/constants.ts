/** The seed's constants (R9.6), each used where it is named. */
export { pollDelay, retryDelay } from '@engawa/client';
export { storedNameLength as nameLength } from '@engawa/protocol';
/** Bytes a profile image may have. */
export { maxImageBytes } from '@engawa/protocol/product';

/** Milliseconds after a new message, and after a load, at which the list scrolls to its end once more. */
export const scrollAfterMessage = 50;
export const scrollAfterLoad = 100;

/** Pixels. Narrower windows have the mobile layout. */
export const breakpoint = 900;
/** Pixels. */
export const pickerHeight = 320;
export const escapeKey = 27;

/** Japan's clock is nine hours ahead of UTC. */
export const japanOffsetSeconds = 32_400;

/** Newest messages that are fetched when a stream is opened. */
export const initialMessages = 20;
/** The topic of every message that the screens send. */
export { defaultTopic as topic } from '@engawa/protocol';
