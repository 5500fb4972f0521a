import type { Audience } from '@engawa/protocol';
import { botEvents } from './bots/events.ts';
import { conversationsOf, periodsIn } from './conversations/lookups.ts';
import { perBatch, perLookups } from './events/batch.ts';
import { draftEvents } from './drafts/events.ts';
import type { DeliveryRules } from './events/delivery.ts';
import type { Groups } from './identity/groups.ts';
import { messageEvents } from './messages/events.ts';
import { receives } from './messages/recipients.ts';
import { usualMessages } from './messages/usualMessages.ts';
import { Visibility } from './privacy/visibility.ts';
import { reactionEvents } from './reactions/events.ts';
import { profileEvents } from './profileFields/events.ts';
import { linkifierEvents } from './realm/linkifiers.ts';
import { emojiEvents } from './realm/emoji.ts';
import { userGroupEvents } from './userGroups/events.ts';
import { scheduledEvents } from './scheduledMessages/events.ts';
import { statusEvents } from './status/events.ts';
import { streamEvents } from './streams/events.ts';
import { userTopicEvents } from './messages/userTopics.ts';
import { userEvents } from './users/events.ts';

export function deliveryRules(groups: Groups): DeliveryRules {
  const audiencesIn = perLookups(() => new Map<string, Audience>());
  const visibilityIn = perBatch((batch) => new Visibility(batch.reader, groups, audiencesIn(batch)));
  return {
    receives,
    conversationsOf,
    usual: usualMessages(visibilityIn),
    possibleMembers: (conversationId, batch) => periodsIn(batch, conversationId).keys(),
    serializers: new Map([
      ...messageEvents(visibilityIn),
      ...reactionEvents(visibilityIn),
      ...draftEvents,
      ...scheduledEvents(visibilityIn),
      ...userGroupEvents,
      ...emojiEvents,
      ...linkifierEvents,
      ...profileEvents,
      ...streamEvents,
      ...userTopicEvents,
      ...userEvents(visibilityIn),
      ...botEvents,
      ...statusEvents(visibilityIn),
    ]),
  };
}
