/** The version and the API feature level that the embedded chat server reports. */
export const zulipVersion = '10.0';
export const zulipFeatureLevel = 371;

/** Code points; longer messages are truncated, never refused. */
export const maxMessageLength = 10_000;
export const truncationNotice = '\n[message truncated]';
/** Characters; longer topics are truncated to 57 and `...`. */
export const maxTopicLength = 60;
export const maxStreamNameLength = 60;
export const maxStreamDescriptionLength = 1024;
export const fullNameLength = { least: 2, most: 100 } as const;
export const passwordLength = { least: 8, most: 1000 } as const;
/** Characters of an alert word, and alert words of a member. */
export const maxAlertWordLength = 100;
export const maxAlertWords = 100;

/** In one audience. */
export const maxAudienceMembers = 1000;
export const maxAudienceDepartments = 100;
export const maxDepartmentCode = 100;
/** Emoji counted for one member, and total uses after which all counts are halved. */
export const maxFrequentEmoji = 64;
export const maxEmojiKeyLength = 100;
export const emojiUsesUntilHalved = 1000;

/** In one call about subscriptions. */
export const maxStreamsPerSubscribe = 100;
export const maxPrincipals = 1000;
/** Subscriptions that one call begins or ends: streams times members. */
export const maxSubscriptionsPerCall = 2000;
export const maxPropertiesPerCall = 1000;
/** Streams that one call lists in addition to the member's subscriptions. */
export const maxStreamsListed = 5000;
/** Topics that one call examines, in sort order. */
export const maxTopicsListed = 10_000;
export const maxDirectParticipants = 100;
export const maxReactionsPerMessage = 500;
export const maxMessagesMoved = 5000;
/** Edits of a message's content, and topic changes in its history. */
export const maxEditsPerMessage = 50;
/** Characters of earlier contents in one answer of GET /messages; the message's history has all. */
export const maxEarlierContentShown = 200_000;
export const maxMentionsPerMessage = 100;
/** Members that the group mentions of one message notify. */
export const maxGroupMentioned = 1000;
/** Rows that one fetch examines on each side of its anchor. Beyond a bound, `found_oldest` or `found_newest` is false. */
export const maxMessagesExamined = 20_000;
/** UTF-16 units that one fetch reads for its `search` terms; another such bound. */
export const maxCharactersRead = 400_000;
/** Added to `maxCharactersRead` for each text: looking one up costs as much as reading so many characters. */
export const charactersPerText = 100;
export const maxSearchWords = 50;
export const maxRecentDirectConversations = 1000;

export const maxMessagesPerFetch = 5000;
/** Characters of content after which one GET /messages stops on each side of its anchor; another such bound. */
export const maxCharactersPerFetch = 500_000;
/** Ids in the `read` event when a member leaves a stream. The other messages also become read. */
export const maxReadIdsOnLeaving = 100;
/** Former membership periods stored per member and stream. Messages received in older ones count as not received. */
export const maxEndedStays = 50;
export const maxMessagesPerFlagCall = 5000;
export const maxMessagesPerReceiptsCall = 100;
/** Members of one conversation, in order of id; further ones are neither counted nor listed. */
export const maxReceiptAudience = 10_000;
/** Members examined before the call yields to other calls. */
export const receiptsPerTurn = 200;
/** Unread messages listed by register; `old_unreads_missing` is true when there are more. */
export const maxUnreadListed = 50_000;

/** The anchor for "newest": above every id, and exact as a JavaScript number. */
export const newestAnchor = 10_000_000_000_000_000;

/** Seconds until a waiting poll gets a heartbeat, chosen between these two. */
export const heartbeatSeconds = { least: 45, most: 55 } as const;
/** Seconds after which a client aborts a poll and polls again. */
export const longPollTimeoutSeconds = 90;
/** Seconds without contact until a queue expires; a client may request up to `most`. */
export const queueLifespanSeconds = { default: 600, most: 604_800 } as const;

/** Calls per member, and per network address without credentials. GET /events is not counted. */
export const defaultRateLimits = { member: { calls: 200, seconds: 60 }, address: { calls: 100, seconds: 60 } } as const;
/** Wrong passwords for one name; beyond it, the right password is refused, too. */
export const failedSignIns = { calls: 5, seconds: 30 * 60 } as const;
/** Wrong passwords from one network address, which an office may share. */
export const failedSignInsByAddress = { calls: 100, seconds: 30 * 60 } as const;

/** Milliseconds: a client repeats `start` after `resent` and sends `stop` after `idle`; a receiver drops it after `expires`. */
export const typingMilliseconds = { resent: 10_000, idle: 5_000, expires: 15_000 } as const;
/** Seconds: a client reports presence every `ping`; a member is offline `offline` after the last report. */
export const presenceSeconds = { ping: 60, offline: 200 } as const;
/** Days after which the server no longer reports when a member was last online. */
export const presenceDays = 14;
/** The newest changes first. */
export const maxPresencesPerAnswer = 10_000;
/** Seconds between two batches of presence events. */
export const presenceBatchSeconds = 5;
/** The others wait for the next batch. */
export const maxPresencesPerBatch = 500;
/** Code points. */
export const maxStatusTextLength = 60;
/** Seconds from setting a status to its end, at most. */
export const maxStatusSeconds = 366 * 24 * 60 * 60;
export const maxStatusesExpiredAtOnce = 200;

export const maxSubscribersForTyping = 100;

/** Seconds in which a member may edit or delete their own message, and any member its topic. */
export const defaultEditLimits = { content: 600, deletion: 600, topic: 7 * 24 * 60 * 60 } as const;
/** Added to the limits, because a call takes time to arrive. */
export const editGraceSeconds = 20;

/** Days in which a repeated `client_message_id` answers the first message. */
export const clientMessageIdDays = 7;
