/** The version and the API feature level that the embedded chat server reports. */
export const zulipVersion = '10.0';
export const zulipFeatureLevel = 371;
/** The ids of Zulip's system groups, whose names begin with `role:`. Groups that members make have ids above 100. */
export const systemGroups = {
  nobody: 9,
  owners: 10,
  administrators: 11,
  moderators: 12,
  fullmembers: 13,
  members: 14,
  everyone: 15,
  internet: 16,
} as const;
/** The id of Zulip's system group of administrators and owners. */
export const administratorsGroup = systemGroups.administrators;

/** Code points. Longer messages are cut, never refused, as in Zulip. */
export const maxMessageLength = 10_000;
export const truncationNotice = '\n[message truncated]';
/** Characters. Longer topics are cut to 57 characters and `...`. */
export const maxTopicLength = 60;
export const maxStreamNameLength = 60;
export const maxStreamDescriptionLength = 1024;
export const fullNameLength = { least: 2, most: 100 } as const;
/** The most bots of an owner that are active, and that exist. The name of a bot in its address has the most characters. */
export const maxActiveBots = 20;
export const maxBots = 100;
export const maxBotShortName = 40;
export const passwordLength = { least: 8, most: 1000 } as const;
/** The most characters of an alert word, and the most alert words of a member. */
export const maxAlertWordLength = 100;
export const maxAlertWords = 100;

/** The most messages that a member has scheduled, and the most that the server sends at once. */
export const maxScheduledMessages = 200;
export const maxScheduledSentAtOnce = 50;

/** The most streams that new members join. */
export const maxDefaultStreams = 20;
/** Messages that one call deletes of a topic, and that one transaction deletes. */
export const maxDeletedOfTopic = 2000;
export const deletedOfTopicAtOnce = 200;

/** The choices of a member for a topic. */
export const visibilityPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
/** The most topics for which a member has chosen something, and the most members whom one member has muted. */
export const maxUserTopics = 2000;
export const maxMutedUsers = 1000;
/** A message becomes read at once for at most so many members who have muted its sender. */
export const maxMutersPerMessage = 1000;

/** The most drafts of a member, and the most bytes (UTF-8) of all their contents. A content is at most `maxMessageLength`. */
export const maxDrafts = 1000;
export const maxDraftBytes = 2 ** 20;

/** The most members and departments in one audience. */
export const maxAudienceMembers = 1000;
export const maxAudienceDepartments = 100;
export const maxDepartmentCode = 100;
/** The most emoji counted for a member, and the total uses after which all counts are halved. */
export const maxFrequentEmoji = 64;
export const maxEmojiKeyLength = 100;
export const emojiUsesUntilHalved = 1000;

/** The most streams and members in one call about subscriptions. */
export const maxStreamsPerSubscribe = 100;
export const maxPrincipals = 1000;
/** The most subscriptions that one call begins or ends: streams times members. */
export const maxSubscriptionsPerCall = 2000;
export const maxPropertiesPerCall = 1000;
/** The most streams that one call lists in addition to the member's subscriptions. */
export const maxStreamsListed = 5000;
/** The most topics that one call lists. */
export const maxTopicsListed = 10_000;
export const maxDirectParticipants = 100;
export const maxReactionsPerMessage = 500;
export const maxMessagesMoved = 5000;
/** The most edits of a message's content, and the most topic changes in its history. */
export const maxEditsPerMessage = 50;
/** Characters of earlier contents in one answer of GET /messages; the message's history has all. */
export const maxEarlierContentShown = 200_000;
export const maxMentionsPerMessage = 100;
/** The most members that are notified by all group mentions of one message. */
export const maxGroupMentioned = 1000;
export const maxLinkifiers = 100;
export const maxLinkifierLength = 1000;
export const maxPlaygrounds = 50;
export const maxProfileFields = 20;
export const profileFieldLength = { name: 40, hint: 80, data: 10_000 } as const;
/** Characters of a value of a profile field, by its type: 1 short text, 2 long text, 3 choice, 4 date, 5 link, 8 pronouns. */
export const profileValueLength = { 1: 50, 2: 500, 3: 100, 4: 10, 5: 1000, 8: 50 } as const;
/** The most keys of a user in `bot_storage`, the most characters of a key, and the most bytes of all their keys and values. */
export const botStorageLimits = { keys: 1000, keyLength: 255, bytes: 2 ** 20 } as const;
export const maxEmojiNameLength = 60;
/** The most custom emoji of an organisation, and the most including deactivated ones, which messages may still show. */
export const maxRealmEmoji = 500;
export const maxRealmEmojiEver = 2000;
/** Bytes, and pixels of the longer side, of the picture of a custom emoji. */
export const maxEmojiBytes = 256 * 1024;
export const maxEmojiSide = 1024;
export const maxUserGroupName = 100;
export const maxUserGroupDescription = 1024;
/** The most groups that members have made, including deactivated ones. */
export const maxUserGroups = 2000;
/** Of these, groups that a member who is not an administrator created. */
export const maxUserGroupsOfMember = 100;
/** The most direct members of such a group, not more than a mention notifies. */
export const maxUserGroupMembers = 1000;
export const maxUserSubgroups = 100;
/** Rows that one fetch examines on each side of its anchor. Beyond a bound, `found_oldest` or `found_newest` is false. */
export const maxMessagesExamined = 20_000;
/** UTF-16 units that one fetch reads for its `search` terms before it stops, as after `maxMessagesExamined`. */
export const maxCharactersRead = 400_000;
/** Added to `maxCharactersRead` for each text: looking one up costs as much as reading so many characters. */
export const charactersPerText = 100;
export const maxSearchWords = 50;
export const maxRecentDirectConversations = 1000;

export const maxMessagesPerFetch = 5000;
/** For each reaction and each entry of an edit history, counted in `maxCharactersPerFetch`. */
export const charactersPerEntry = 100;
/** Characters of content after which GET /messages stops on each side of its anchor, as after `maxMessagesExamined`. */
export const maxCharactersPerFetch = 500_000;
/** The most ids in the `read` event when a member leaves a stream. The others also become read but are not named. */
export const maxReadIdsOnLeaving = 100;
/** Former membership periods stored per member and stream. Messages received in older ones count as not received. */
export const maxEndedStays = 50;
export const maxMessagesPerFlagCall = 5000;
export const maxMessagesPerReceiptsCall = 100;
/** The most members of a conversation whose read receipts are counted and listed, in order of id. */
export const maxReceiptAudience = 10_000;
/** The number of members that a call examines before it lets other calls run. */
export const receiptsPerTurn = 200;
/** Unread messages listed by register; `old_unreads_missing` is true when there are more. */
export const maxUnreadListed = 50_000;

/** The anchor for "newest": above every id, and exact as a JavaScript number. */
export const newestAnchor = 10_000_000_000_000_000;

/** A waiting poll gets a heartbeat after a random time between these two, in seconds, so that polls do not all end at once. */
export const heartbeatSeconds = { least: 45, most: 55 } as const;
/** Seconds after which a client ends a poll without an answer and polls again. */
export const longPollTimeoutSeconds = 90;
/** Seconds without contact until a queue expires; a client may request up to `most`. */
export const queueLifespanSeconds = { default: 600, most: 604_800 } as const;

/** Calls per member, and per refused credential such as a revoked key. GET /events is not counted for a member. */
export const defaultRateLimits = { member: { calls: 200, seconds: 60 }, refusedKey: { calls: 100, seconds: 60 } } as const;
/**
 * Passwords after which an attempt is refused without a comparison (decision 29). A network is an IPv4 address or the first
 * half of an IPv6 address. Attempts from a known device count only for this device.
 */
export const signInLimits = {
  /** Wrong passwords for one name from one network. */
  nameInNetwork: { calls: 5, seconds: 30 * 60 },
  /** Wrong passwords for one name from all networks: ten networks fill it, so that one colleague cannot. */
  name: { calls: 50, seconds: 30 * 60 },
  /** Wrong passwords for any names from one network: more and shorter, because an office may share an address. */
  network: { calls: 100, seconds: 10 * 60 },
  /** Wrong passwords for one name on a device on which this member has signed in before. */
  device: { calls: 10, seconds: 30 * 60 },
  /** Right passwords for one name: each costs a comparison and a key. */
  right: { calls: 60, seconds: 60 },
} as const;

/** Milliseconds: a client repeats `start` after `resent` and sends `stop` after `idle`; a receiver drops it after `expires`. */
export const typingMilliseconds = { resent: 10_000, idle: 5_000, expires: 15_000 } as const;
/** Seconds: a client reports presence every `ping`; a member is offline `offline` after the last report. */
export const presenceSeconds = { ping: 60, offline: 200 } as const;
/** Days after which the server no longer reports when a member was last online. */
export const presenceDays = 14;
/** The most members in one answer about presence: those with the newest changes. */
export const maxPresencesPerAnswer = 10_000;
/** Seconds between two batches of presence events. */
export const presenceBatchSeconds = 5;
/** The most members in one presence event. The others come in the next one. */
export const maxPresencesPerBatch = 500;
/** The longest text of a status, in code points. */
export const maxStatusTextLength = 60;
/** The most seconds from setting a status to its end. */
export const maxStatusSeconds = 366 * 24 * 60 * 60;
export const maxStatusesExpiredAtOnce = 200;

export const maxSubscribersForTyping = 100;

/** Seconds after sending in which members may edit or delete their own message, and in which any member may change its topic. */
export const defaultEditLimits = { content: 600, deletion: 600, topic: 7 * 24 * 60 * 60 } as const;
/** Seconds that the server adds to the edit limits, because a call takes time to arrive. */
export const editGraceSeconds = 20;

/** Days for which a `client_message_id` is stored, so that a repeated send answers the first message. */
export const clientMessageIdDays = 7;
