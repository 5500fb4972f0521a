/** The constants of the specification (R9.6). */
export { pollDelay, retryDelay } from '@engawa/client';
export { storedNameLength as nameLength } from '@engawa/protocol';
export { maxImageBytes } from '@engawa/protocol/product';

/** Milliseconds after a new message and after a load; the list then scrolls to its end once more. */
export const scrollAfterMessage = 50;
export const scrollAfterLoad = 100;

/** Pixels. Narrower windows have the mobile layout. */
export const breakpoint = 900;
/** Pixels. */
export const pickerHeight = 320;
export const escapeKey = 27;

export const japanOffsetSeconds = 32_400;

export const initialMessages = 20;
export { defaultTopic as topic } from '@engawa/protocol';
