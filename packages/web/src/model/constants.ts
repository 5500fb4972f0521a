/** The constants of the specification (R9.6). */
export { pollDelay, retryDelay } from '@engawa/client';
export { storedNameLength as nameLength } from '@engawa/protocol';
export { maxImageBytes } from '@engawa/protocol/product';

/** Milliseconds. The list scrolls to its end once more, because a new message or a load may change heights after that time. */
export const scrollAfterMessage = 50;
export const scrollAfterLoad = 100;

/** Width in pixels. Narrower windows have the mobile layout. */
export const breakpoint = 900;
/** Height in pixels. */
export const pickerHeight = 320;
export const escapeKey = 27;

export const japanOffsetSeconds = 32_400;

export const initialMessages = 20;
export { defaultTopic as topic } from '@engawa/protocol';
