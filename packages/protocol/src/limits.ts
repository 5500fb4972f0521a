/** The version that the embedded chat server reports, and the API feature level that it keeps. */
export const zulipVersion = '10.0';
export const zulipFeatureLevel = 371;

/** Characters (code points); longer messages are cut, never refused. */
export const maxMessageLength = 10_000;
export const truncationNotice = '\n[message truncated]';
/** Characters; longer topics are cut to 57 and `...`. */
export const maxTopicLength = 60;
export const maxStreamNameLength = 60;
export const maxStreamDescriptionLength = 1024;

/** Most messages that one GET /messages answers. */
export const maxMessagesPerFetch = 5000;
/** Most message ids that one call about flags takes. */
export const maxMessagesPerFlagCall = 5000;
/** Unread messages that register lists; older ones are only said to exist. */
export const maxUnreadListed = 50_000;

/** The anchor that means "newest": above every id, and exact as a JavaScript number. */
export const newestAnchor = 10_000_000_000_000_000;

/** Seconds. A waiting poll is answered with a heartbeat after a time between these two. */
export const heartbeatSeconds = { least: 45, most: 55 } as const;
/** Seconds after which a client gives a waiting poll up and asks again. */
export const longPollTimeoutSeconds = 90;
/** Seconds without contact after which a queue is dropped; a client may ask for up to `most`. */
export const queueLifespanSeconds = { usual: 600, most: 604_800 } as const;

/** Days for which a client's message id is remembered, so that a repeated send answers the first. */
export const clientMessageIdDays = 7;
