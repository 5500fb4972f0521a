import { z } from 'zod';
import { readableIn, within } from '../conversations/access.ts';
import { periodsOf } from '../conversations/lookups.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';
import type { Reader } from '../database/index.ts';
import { type DeliveryBatch, perEvent, perEventOfBatch } from '../events/batch.ts';
import type { EventSerializer, EventSerializers } from '../events/delivery.ts';
import type { EventRow } from '../events/log.ts';
import type { Queue } from '../events/queues.ts';
import { type Member, isGuest } from '../identity/member.ts';
import { unseenEmail } from '../privacy/seenUsers.ts';
import type { Visibility } from '../privacy/visibility.ts';
import { flagsInBatch } from '../reading/lookups.ts';
import { type EditRow, edits } from './edits.ts';
import { isMeMessage } from './html.ts';
import { htmlRenderer } from './htmlRenderer.ts';
import { showable } from './mentions.ts';
import { currentMessage } from './recipients.ts';
import { isWithin } from './queueNarrow.ts';
import type { MessageRow } from './store.ts';
import { messageViews } from './view.ts';

const messagePayload = z.object({ queue_id: z.string().optional(), local_id: z.string().optional() });

const updatePayload = z.object({
  user_id: z.int(),
  edit_timestamp: z.int(),
  conversation_id: z.int(),
  message_id: z.int(),
  message_ids: z.array(z.int()),
  /** If the content changed, the id of the edit that stores the former content of `message_id`. */
  content_edit: z.int().optional(),
  topic: z.object({ orig_subject: z.string(), subject: z.string(), propagate_mode: z.string() }).optional(),
});
export type UpdatePayload = z.output<typeof updatePayload>;

const deletePayload = z.object({
  message_type: z.enum(['stream', 'private']),
  message_id: z.int(),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
});
export type DeletePayload = z.output<typeof deletePayload>;

export function messageEvents(visibilityIn: (batch: DeliveryBatch) => Visibility): EventSerializers {
  return [
    ['message', messageSerializer(visibilityIn)],
    ['update_message', (event, queue, batch) => serializeUpdate(event, queue, batch, visibilityIn(batch))],
    ['delete_message', serializeDelete],
  ];
}

export const sentFrom = perEvent((event) => messagePayload.parse(JSON.parse(event.payload)));

function messageSerializer(visibilityIn: (batch: DeliveryBatch) => Visibility): EventSerializer {
  const shared = perEventOfBatch((event, batch) => {
    const message = event.message_id === null ? undefined : currentMessage(event.message_id, batch);
    return message && serializeFor(event, message, batch, visibilityIn(batch));
  });
  return (event, queue, batch) => shared(event, batch)?.(queue);
}

const noFlags: readonly string[] = [];

function serializeFor(
  event: EventRow,
  message: MessageRow,
  batch: DeliveryBatch,
  visibility: Visibility,
): (queue: Queue) => string | undefined {
  const { sender_id: senderId } = message;
  const flagsOf = flagsInBatch(batch, message);
  const seesPictureOf = visibility.viewersOf('photo_audience', senderId);
  const { queue_id, local_id } = sentFrom(event, batch);
  const textFor = rememberingLast(event, message, batch, visibility);
  return (queue) => {
    const { member, options } = queue;
    const flags = flagsOf(member.id);
    // A queue with `all_public_streams` also receives messages that its member did not receive. The API shows no flags for them.
    const shown = flags.includes('historical') ? noFlags : flags;
    const seesSender = visibility.sees(member, senderId);
    const seen = seesSender ? message : { ...message, email: unseenEmail(senderId) };
    if (!isWithin(options.narrow, seen, shown)) return undefined;
    const local = queue_id === queue.id ? local_id : undefined;
    const markdown = options.apply_markdown;
    const seesPicture = seesPictureOf(member);
    const sight = sightOf(event, member, batch, visibility);
    return textFor({ markdown, seesPicture, seesSender, sight, shown, local }, member);
  };
}

/** All in which the texts of a message differ between queues. */
interface Variant {
  readonly markdown: boolean;
  readonly seesPicture: boolean;
  readonly seesSender: boolean;
  readonly sight: string;
  readonly shown: readonly string[];
  readonly local: string | undefined;
}

/** Most recipients get the same text as the one before them, for whom no key of the text is made. */
function rememberingLast(event: EventRow, message: MessageRow, batch: DeliveryBatch, visibility: Visibility) {
  let last: (Variant & { readonly text: string }) | undefined;
  return (variant: Variant, member: Member): string => {
    const { markdown, seesPicture, seesSender, sight, shown, local } = variant;
    if (
      last?.markdown === markdown &&
      last.seesPicture === seesPicture &&
      last.seesSender === seesSender &&
      last.sight === sight &&
      last.shown === shown &&
      last.local === local
    )
      return last.text;
    const key = `${event.id} ${markdown} ${seesPicture} ${seesSender} ${sight} ${shown.join(' ')}`;
    const text = batch.lookups.text(local === undefined ? key : `${key} ${JSON.stringify(local)}`, () =>
      messageEvent(event.id, JSON.stringify(eventView(batch.reader, visibility, member)(message, markdown)), shown, local),
    );
    last = { ...variant, text };
    return text;
  };
}

export function messageEvent(id: number, view: string, shown: readonly string[], local?: string): string {
  const localId = local === undefined ? '' : `,"local_message_id":${JSON.stringify(local)}`;
  return `{"type":"message","id":${id},"message":${view},"flags":${JSON.stringify(shown)}${localId}}`;
}

/** Reactions have their own events. A client that got a reaction in the message too would show it twice. */
export const eventView = (reader: Reader, visibility: Visibility, viewer: Member) =>
  messageViews(reader, visibility, viewer, { withReactions: false });

const updateOf = perEvent((event, { reader }) => {
  const update = updatePayload.parse(JSON.parse(event.payload));
  const left = messageHeaders.of(reader, update.message_ids).filter(({ deleted }) => deleted === null);
  const former = update.content_edit === undefined ? undefined : edits.byId(reader, update.content_edit);
  return { ...update, left: left.map(({ id }) => id), former };
});

/** The users whom the rendered texts of an event may show by mentions: one text serves all guests who see the same of them. */
const showableIn = perEvent((event, batch) => {
  if (event.message_id !== null) {
    const message = currentMessage(event.message_id, batch);
    return message ? showableOf(batch.reader, message, edits.of(batch.reader, message.id)) : [];
  }
  const { message_id, former } = updateOf(event, batch);
  const message = former && currentMessage(message_id, batch);
  return message ? showableOf(batch.reader, message, [former]) : [];
});

function showableOf(reader: Reader, { content, client }: MessageRow, former: readonly EditRow[]): readonly number[] {
  const contents = [content, ...former.flatMap(({ prev_content }) => prev_content ?? [])];
  return [...new Set(contents.flatMap((each) => showable(reader, { content: each, client })))];
}

function sightOf(event: EventRow, member: Member, batch: DeliveryBatch, visibility: Visibility): string {
  return isGuest(member)
    ? showableIn(event, batch)
        .filter((id) => visibility.sees(member, id))
        .join()
    : 'everyone';
}

/** Lists the changed messages that the member may read, with the current content. `maxMessagesMoved` bounds the work. */
function serializeUpdate(event: EventRow, queue: Queue, batch: DeliveryBatch, visibility: Visibility): string | undefined {
  const { member } = queue;
  const update = updateOf(event, batch);
  const periods = periodsOf(batch, update.conversation_id, member.id);
  const spans = readableIn(batch.reader, member, update.conversation_id, periods);
  const ids = update.left.filter((id) => within(id, spans));
  const shownId = ids.includes(update.message_id) ? update.message_id : ids[0];
  const message = shownId === undefined ? undefined : currentMessage(shownId, batch);
  if (!message) return undefined;
  const flags = flagsInBatch(batch, message)(member.id);
  const { user_id, edit_timestamp, former, topic } = update;
  const sight = sightOf(event, member, batch, visibility);
  return batch.shared(`${event.id} ${JSON.stringify([spans, sight, flags])}`, () =>
    JSON.stringify({
      type: event.type,
      id: event.id,
      user_id,
      edit_timestamp,
      message_id: message.id,
      message_ids: ids,
      flags,
      rendering_only: false,
      ...(message.stream_name === null ? {} : { stream_id: message.conversation_id, stream_name: message.stream_name }),
      ...(former === undefined || shownId !== update.message_id
        ? {}
        : contentChange(batch.reader, visibility, queue, message, former)),
      ...(topic ? { ...topic, topic_links: [] } : {}),
    }),
  );
}

function contentChange(
  reader: Reader,
  visibility: Visibility,
  { member }: Queue,
  { content, client }: MessageRow,
  former: EditRow,
) {
  const html = htmlRenderer(reader, visibility, member);
  const before = former.prev_content ?? '';
  return {
    content,
    rendered_content: html({ content, client }),
    orig_content: before,
    orig_rendered_content: html({ content: before, client }),
    is_me_message: isMeMessage({ content, client }),
  };
}

const serializeDelete: EventSerializer = (event, { options }, batch) =>
  batch.shared(`${event.id} ${options.bulk_message_deletion}`, () => {
    const { message_id, ...place } = deletePayload.parse(JSON.parse(event.payload));
    const ids = options.bulk_message_deletion ? { message_ids: [message_id] } : { message_id };
    return JSON.stringify({ ...place, ...ids, type: event.type, id: event.id });
  });
