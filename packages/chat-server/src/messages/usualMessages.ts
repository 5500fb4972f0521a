import { featureBits } from '../conversations/messageHeaders.ts';
import { type DeliveryBatch, perLookups, remembered } from '../events/batch.ts';
import type { DeliveryRules } from '../events/delivery.ts';
import type { EventRow } from '../events/log.ts';
import { type Member, isGuest } from '../identity/member.ts';
import type { Visibility } from '../privacy/visibility.ts';
import { flagBitsOfMember, flagsOfStretches } from '../reading/lookups.ts';
import { eventView, messageEvent, sentFrom } from './events.ts';
import { type EventStretch, receivesAll } from './recipients.ts';
import { messages } from './store.ts';

/** The event of a message for most members who receive it. */
interface UsualEvent {
  readonly bytes: Uint8Array;
  /** The queue from which it was sent, in which it is not usual. */
  readonly sentFrom: string | undefined;
}

/** By event id. Undefined if each member may get the event differently. */
type UsualEvents = Map<number, UsualEvent | undefined>;
/** By the shown flags, of which equal lists are one object, for source texts and for HTML. */
const usualEvents = perLookups(
  () => [new Map<readonly string[], UsualEvents>(), new Map<readonly string[], UsualEvents>()] as const,
);

/**
 * Decides for many events of a returning member at once. Nearly all are alike for all who missed them: the member was in the
 * conversation throughout, has read all or nothing, and has no flag on the message; it does not mention everyone, and its sender
 * shows their picture to everyone. `receives` and the serializer would find the same, one by one.
 */
export function usualMessages(visibilityIn: (batch: DeliveryBatch) => Visibility): DeliveryRules['usual'] {
  return (events, { id: queueId, member, options }, batch) => {
    const wantsMessages = options.event_types?.includes('message') ?? true;
    if (!wantsMessages || isGuest(member) || options.narrow.length > 0) return () => undefined;
    const markdown = options.apply_markdown;
    const eventsByFlags = usualEvents(batch)[markdown ? 1 : 0];
    const logged = events.filter(isToMembers);
    const stretches = stretchesOf(logged).filter((stretch) => receivesAll(stretch, member, batch));
    const flags = flagsOfStretches(batch, stretches);
    const usualIn = new Map(
      stretches.flatMap(({ conversationId }, index) => {
        const shown = flags[index];
        if (shown === undefined) return [];
        const known = remembered(eventsByFlags, shown, (): UsualEvents => new Map());
        return [[conversationId, { shown, known }] as const];
      }),
    );
    const missing = logged.filter(({ id, reach_id }) => usualIn.get(reach_id)?.known.has(id) === false);
    const write = usualEventsIn(missing, member, markdown, batch, visibilityIn(batch));
    for (const event of missing) {
      const { known, shown } = usualIn.get(event.reach_id) ?? {};
      known?.set(event.id, shown && write(event, shown));
    }
    const bitsOf = flagBitsOfMember(batch);
    return (event) => {
      if (!isToMembers(event) || bitsOf(event.message_id) !== 0) return undefined;
      const usual = usualIn.get(event.reach_id)?.known.get(event.id);
      return usual?.sentFrom === queueId ? undefined : usual?.bytes;
    };
  };
}

type ToMembers = EventRow & { readonly reach_id: number; readonly message_id: number };

const isToMembers = (event: EventRow): event is ToMembers =>
  event.type === 'message' && event.reach === 'members' && event.reach_id !== null && event.message_id !== null;

function stretchesOf(events: readonly ToMembers[]): EventStretch[] {
  const stretches = new Map<number, { -readonly [Name in keyof EventStretch]: EventStretch[Name] }>();
  for (const { id, reach_id: conversationId, message_id: messageId } of events) {
    const known = stretches.get(conversationId);
    if (known) {
      known.lastEvent = id;
      known.firstMessage = Math.min(known.firstMessage, messageId);
      known.lastMessage = Math.max(known.lastMessage, messageId);
    } else {
      const ends = { firstEvent: id, lastEvent: id, firstMessage: messageId, lastMessage: messageId };
      stretches.set(conversationId, { conversationId, ...ends });
    }
  }
  return [...stretches.values()];
}

function usualEventsIn(
  events: readonly ToMembers[],
  viewer: Member,
  markdown: boolean,
  batch: DeliveryBatch,
  visibility: Visibility,
): (event: ToMembers, shown: readonly string[]) => UsualEvent | undefined {
  const ids = events.map(({ message_id }) => message_id);
  const rows = new Map(ids.length === 0 ? [] : messages.withSenders(batch.reader, ids).map((row) => [row.id, row]));
  const view = eventView(batch.reader, visibility, viewer);
  return (event, shown) => {
    const message = rows.get(event.message_id);
    // A message that was deleted or moved needs `receives`.
    if (!message || message.deleted !== null || message.conversation_id !== event.reach_id) return undefined;
    if (message.features & featureBits.mentionsAll) return undefined;
    if (!visibility.isForEveryone('photo_audience', message.sender_id)) return undefined;
    const bytes = Buffer.from(messageEvent(event.id, JSON.stringify(view(message, markdown)), shown));
    batch.lookups.note(bytes.length);
    return { bytes, sentFrom: sentFrom(event, batch).queue_id };
  };
}
