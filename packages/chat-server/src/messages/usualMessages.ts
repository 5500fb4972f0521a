import { periodsOf } from '../conversations/lookups.ts';
import { featureBits } from '../conversations/messageHeaders.ts';
import { type DeliveryBatch, perBatch, perLookups, remembered } from '../events/batch.ts';
import { type DeliveryRules, mostLength } from '../events/delivery.ts';
import type { EventRow } from '../events/log.ts';
import { type Member, isGuest } from '../identity/member.ts';
import type { Visibility } from '../privacy/visibility.ts';
import { flagBits, flagsOfStretches } from '../reading/lookups.ts';
import { eventView, messageEvent, sentFrom } from './events.ts';
import { type EventStretch, receivesAll } from './recipients.ts';
import { messages } from './store.ts';

/** Rows of messages that are read together. One can have 10,000 characters. */
const mostRows = 100;

/** The event of a message for most members who receive it. */
interface UsualEvent {
  readonly messageId: number;
  /** Undefined if each member may get the event differently. */
  readonly bytes?: Uint8Array;
  /** The sender, if they read the message by sending it and the event does not say so. In their queues it is not usual. */
  readonly readBy?: number | undefined;
  /** The queue from which it was sent, in which it is not usual. */
  readonly sentFrom?: string | undefined;
}

/** By event id. */
type UsualEvents = Map<number, UsualEvent>;
/** By the shown flags, of which equal lists are one object, for source texts and for HTML. */
const usualEvents = perLookups(
  () => [new Map<readonly string[], UsualEvents>(), new Map<readonly string[], UsualEvents>()] as const,
);

/**
 * Decides for many events of a returning member at once. Nearly all are alike for all who missed them: the member was in the
 * conversation throughout, has read all or nothing but what they sent, and has no flag on the message; it does not mention everyone,
 * and its sender shows their picture to everyone. `receives` and the serializer would find the same, one by one.
 */
export function usualMessages(visibilityIn: (batch: DeliveryBatch) => Visibility): DeliveryRules['usual'] {
  return (events, { id: queueId, member, options }, batch) => {
    const wantsMessages = options.event_types?.includes('message') ?? true;
    if (!wantsMessages || isGuest(member) || options.narrow.length > 0) return [];
    const markdown = options.apply_markdown;
    const eventsByFlags = usualEvents(batch)[markdown ? 1 : 0];
    const { stretches, stretchOf } = remembered(dividedEvents(batch), events, () => dividedByConversation(events));
    const received = stretches.filter((stretch) => receivesAll(stretch, member, batch));
    const alikes = new Map<EventStretch, Alike>();
    for (const [index, shown] of flagsOfStretches(batch, member.id, received).entries()) {
      const stretch = received[index];
      if (!stretch || !shown) continue;
      alikes.set(stretch, { shown, known: remembered(eventsByFlags, shown, (): UsualEvents => new Map()) });
    }
    const isForeign = ({ conversationId }: EventStretch) =>
      !options.all_public_streams && periodsOf(batch, conversationId, member.id).length === 0;
    const foreign = new Set(stretches.filter(isForeign));
    const bits = flagBits(batch);
    const bytesIn = (event: UsualEvent): Uint8Array | undefined => {
      const isUsual = event.sentFrom !== queueId && event.readBy !== member.id;
      return isUsual && bits(event.messageId, member.id) === 0 ? event.bytes : undefined;
    };
    const missing: MissingEvent[] = [];
    // Only missing events get objects: one for each event and recipient would double the garbage of a delivery.
    const decided = events.map((event, index) => {
      const stretch = stretchOf[index];
      if (!stretch) return undefined;
      if (foreign.has(stretch)) return null;
      const alike = alikes.get(stretch);
      const known = alike?.known.get(event.id);
      if (alike && !known && isToMembers(event)) missing.push({ event, alike, index });
      return known && bytesIn(known);
    });
    let length = 0;
    // The answer ends with `mostLength`, so the next poll writes the rest.
    for (let start = 0; start < missing.length && length <= mostLength; start += mostRows) {
      const slice = missing.slice(start, start + mostRows);
      const write = usualEventsIn(
        slice.map(({ event }) => event),
        member,
        markdown,
        batch,
        visibilityIn(batch),
      );
      for (const { event, alike, index } of slice) {
        const written = write(event, alike.shown);
        alike.known.set(event.id, written);
        length += written.bytes?.length ?? 0;
        decided[index] = bytesIn(written);
      }
    }
    return decided;
  };
}

interface MissingEvent {
  readonly event: ToMembers;
  readonly alike: Alike;
  readonly index: number;
}

type ToMembers = EventRow & { readonly reach_id: number; readonly message_id: number };

const isToMembers = (event: EventRow): event is ToMembers =>
  event.type === 'message' && event.reach === 'members' && event.reach_id !== null && event.message_id !== null;

/** The events of a conversation that all members with the same flags get alike. */
interface Alike {
  readonly shown: readonly string[];
  readonly known: UsualEvents;
}

interface DividedEvents {
  readonly stretches: readonly EventStretch[];
  /** By the index of the event, because a look-up for each of so many events is slow. */
  readonly stretchOf: readonly (EventStretch | undefined)[];
}

/** Members of one batch whose polls have the same cursor get the same list of events. */
const dividedEvents = perBatch(() => new WeakMap<readonly EventRow[], DividedEvents>());

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

function dividedByConversation(events: readonly EventRow[]): DividedEvents {
  const stretches = new Map<number, Mutable<EventStretch>>();
  const stretchOf = events.map((event) => (isToMembers(event) ? stretchWith(event, stretches) : undefined));
  return { stretches: [...stretches.values()], stretchOf };
}

function stretchWith(
  { id, reach_id: conversationId, message_id: messageId }: ToMembers,
  stretches: Map<number, Mutable<EventStretch>>,
): EventStretch {
  const stretch = remembered(stretches, conversationId, () => {
    return { conversationId, firstEvent: id, lastEvent: id, firstMessage: messageId, lastMessage: messageId };
  });
  stretch.lastEvent = id;
  stretch.firstMessage = Math.min(stretch.firstMessage, messageId);
  stretch.lastMessage = Math.max(stretch.lastMessage, messageId);
  return stretch;
}

function usualEventsIn(
  events: readonly ToMembers[],
  viewer: Member,
  markdown: boolean,
  batch: DeliveryBatch,
  visibility: Visibility,
): (event: ToMembers, shown: readonly string[]) => UsualEvent {
  const ids = events.map(({ message_id }) => message_id);
  const rows = new Map(messages.withSenders(batch.reader, ids).map((row) => [row.id, row]));
  const view = eventView(batch.reader, visibility, viewer);
  return (event, shown) => {
    const unusual = { messageId: event.message_id };
    const message = rows.get(event.message_id);
    // A message that was deleted or moved needs `receives`.
    if (!message || message.deleted !== null || message.conversation_id !== event.reach_id) return unusual;
    if (message.features & featureBits.mentionsAll) return unusual;
    if (!visibility.isForEveryone('photo_audience', message.sender_id)) return unusual;
    const bytes = Buffer.from(messageEvent(event.id, JSON.stringify(view(message, markdown)), shown));
    batch.lookups.note(bytes.length);
    const readBy = message.read_by_sender === 1 && !shown.includes('read') ? message.sender_id : undefined;
    return { ...unusual, bytes, readBy, sentFrom: sentFrom(event, batch).queue_id };
  };
}
