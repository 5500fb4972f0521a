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
export const fullNameLength = { least: 2, most: 100 } as const;
export const passwordLength = { least: 8, most: 1000 } as const;
/** Characters of one alert word, and how many a member may have. */
export const maxAlertWordLength = 100;
export const maxAlertWords = 100;

/** Most users and departments that a member selects for one audience, and characters of a `departmentCd`. */
export const maxAudienceMembers = 1000;
export const maxAudienceDepartments = 100;
export const maxDepartmentCode = 100;
/** Most emoji whose use is counted for a member, characters of one, and uses after which all counts are halved. */
export const maxFrequentEmoji = 64;
export const maxEmojiKeyLength = 100;
export const emojiUsesUntilHalved = 1000;

/** Most streams and most members that one call about subscriptions names. */
export const maxStreamsPerSubscribe = 100;
export const maxPrincipals = 1000;
/** Most subscriptions that one call begins or ends: its streams times its members. */
export const maxSubscriptionsPerCall = 2000;
/** Most properties of subscriptions that one call sets. */
export const maxPropertiesPerCall = 1000;
/** Streams beside their own subscriptions that one call lists to a member, by name. */
export const maxStreamsListed = 5000;
/** Most topics of a stream that one call looks at, in the order in which topics are compared. */
export const maxTopicsListed = 10_000;
/** Most members of one direct conversation, the sender included. */
export const maxDirectParticipants = 100;
/** Most reactions on one message. */
export const maxReactionsPerMessage = 500;
/** Most messages whose topic one edit changes. */
export const maxMessagesMoved = 5000;
/** Most corrections of its content that a message takes, and most changes of its topic that it remembers. */
export const maxEditsPerMessage = 50;
/** Characters of earlier contents that one answer shows beside its messages; a message's history shows all. */
export const maxEarlierContentShown = 200_000;
/** Most mentions that one message makes; further ones reach nobody. */
export const maxMentionsPerMessage = 100;
/** Most members whom one message calls by groups; further ones are not called. */
export const maxGroupMentioned = 1000;
/** Most rows that one fetch looks at on each side of its anchor. What it has not reached it says not to have found. */
export const maxMessagesExamined = 20_000;
/** UTF-16 units that one fetch reads for its `search` terms. What it has not reached it says not to have found. */
export const maxCharactersRead = 400_000;
/** What reading a text counts beside its characters: as many can be read while it is looked up. */
export const charactersPerText = 100;
/** Most words of all `search` terms of one narrow. */
export const maxSearchWords = 50;
/** Conversations that register lists by their newest message. */
export const maxRecentDirectConversations = 1000;

/** Most messages that one GET /messages answers. */
export const maxMessagesPerFetch = 5000;
/**
 * Characters of content after which one GET /messages stops, on each side of its anchor: the rest is for the next call,
 * and it says not to have found the end.
 */
export const maxCharactersPerFetch = 500_000;
/** Ids that a member who leaves a stream is told to have read; the others are read as well. */
export const maxReadIdsOnLeaving = 100;
/** Ended stays of one member in one stream; what was received before them is forgotten to have been. */
export const maxEndedStays = 50;
/** Most message ids that one call about flags takes. */
export const maxMessagesPerFlagCall = 5000;
/** Most messages whose readers are counted at once. */
export const maxMessagesPerReceiptsCall = 100;
/** Members of one conversation, by id, whose reading is looked at; further ones are neither counted nor listed. */
export const maxReceiptAudience = 10_000;
/** Members that are looked at before others have their turn. */
export const receiptsPerTurn = 200;
/** Unread messages that register lists; older ones are only said to exist. */
export const maxUnreadListed = 50_000;

/** The anchor that means "newest": above every id, and exact as a JavaScript number. */
export const newestAnchor = 10_000_000_000_000_000;

/** Seconds. A waiting poll is answered with a heartbeat after a time between these two. */
export const heartbeatSeconds = { least: 45, most: 55 } as const;
/** Seconds after which a client gives a waiting poll up and asks again. */
export const longPollTimeoutSeconds = 90;
/** Seconds without contact after which a queue is dropped; a client may ask for up to `most`. */
export const queueLifespanSeconds = { default: 600, most: 604_800 } as const;

/**
 * Calls in so many seconds, of one member, and of one network address without credentials. GET /events is not counted.
 */
export const defaultRateLimits = {
  member: { calls: 200, seconds: 60 },
  address: { calls: 100, seconds: 60 },
} as const;
/** Wrong passwords for one name in so many seconds; then even the right one waits. */
export const failedSignIns = { most: 5, seconds: 30 * 60 } as const;
/** The same for any name from one network address: an office has one for all its members. */
export const failedSignInsByAddress = { most: 100, seconds: 30 * 60 } as const;

/** Milliseconds: typing is told again after `resent`, has ended after `idle`, and is forgotten after `expires`. */
export const typingMilliseconds = { resent: 10_000, idle: 5_000, expires: 15_000 } as const;
/** Seconds: a client says so often that its member is there, and who said nothing for so long is not any more. */
export const presenceSeconds = { ping: 60, offline: 200 } as const;
/** Days after which nobody is told any more when somebody was last there. */
export const presenceDays = 14;
/** Members of whom one answer says when they were there: those of whom there is something new, the newest first. */
export const maxPresencesPerAnswer = 10_000;
/** Seconds after which those who have come and gone are told of, all at once. */
export const presenceBatchSeconds = 5;
/** Members who are told of at once; the others wait for the next time. */
export const maxPresencesPerBatch = 500;
/** Characters (code points) of what a member says of themselves at the moment. */
export const maxStatusTextLength = 60;
/** Seconds after which it ends at the latest, where it ends. */
export const maxStatusSeconds = 366 * 24 * 60 * 60;
/** Most statuses that are ended at once; the others wait for the next time. */
export const maxStatusesExpiredAtOnce = 200;

/** Streams with more subscribers hear of no typing. */
export const maxSubscribersForTyping = 100;

/** Seconds in which a member may correct or delete what they wrote, or anybody its topic; null: always. */
export const defaultEditLimits = { content: 600, deletion: 600, topic: 7 * 24 * 60 * 60 } as const;
/** Seconds that are given beyond the limit, for the call to arrive. */
export const editGraceSeconds = 20;

/** Days for which a client's message id is remembered, so that a repeated send answers the first. */
export const clientMessageIdDays = 7;
