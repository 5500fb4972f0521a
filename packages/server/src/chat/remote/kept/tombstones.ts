import type { Reader } from '@engawa/chat-server/database';
import { deleteMessage, getMessage, getMessages, getSubscriptions } from '@engawa/protocol';
import { z } from 'zod';
import { nameOfCall } from '../../../log/log.ts';
import { parseJson } from '../../../parseJson.ts';
import type { ChatCall } from '../../backend.ts';
import { pathOf } from '../../callPath.ts';
import { jsonOf, withJson } from './answer.ts';
import { asking, queryOf } from './call.ts';
import type { Handler, HandlerDependencies } from './handlers.ts';
import { type MessageHeader, type MessageHeaders, conversationOf, messageHeader } from './headers.ts';
import { type Tombstone, tombstones } from './store.ts';

/** A larger answer is passed on unchanged. A page of the screens has about 100 KiB. */
const mostPageBytes = 16 * 1024 * 1024;
/** The most tombstones of one conversation in a page. */
const mostPerConversation = 1000;

export interface TombstoneDependencies extends HandlerDependencies {
  readonly headers: MessageHeaders;
}

/** Deleted messages keep their place (削除した): who sent them, where and when, never what. */
export function tombstoneHandlers(dependencies: TombstoneDependencies): Handler[] {
  const { request, headers } = dependencies;
  return [
    {
      endpoint: deleteMessage,
      async handle(call, { message_id: id = 0 }) {
        // Zulip no longer has the message afterwards.
        await fetchHeader(dependencies, call, id);
        const reply = await request(call);
        if (reply.status === 200) await bury(dependencies, [id], call);
        return reply;
      },
    },
    {
      endpoint: getMessages,
      async handle(call) {
        const query = queryOf(call);
        if (query.get('include_deleted') !== 'true') return request(call);
        query.delete('include_deleted');
        const reply = await request({ ...call, url: `${pathOf(call)}?${query}` });
        const json = jsonOf(reply, mostPageBytes);
        const read = page.safeParse(json).data;
        if (!json || !read) return reply;
        read.messages.forEach((message) => headers.note(message));
        const added = isOneConversation(query) ? await tombstonesIn(dependencies, call, spanOf(query, read), read.messages) : [];
        if (added.length === 0) return reply;
        const messages = [...read.messages, ...added].toSorted((one, other) => one.id - other.id);
        return withJson(reply, { ...json, messages });
      },
    },
  ];
}

const page = z.object({ found_oldest: z.boolean(), found_newest: z.boolean(), messages: z.array(messageHeader) });
type Page = z.output<typeof page>;

async function fetchHeader({ request, headers }: TombstoneDependencies, call: ChatCall, id: number): Promise<void> {
  const path = `${getMessage.path.replace('{message_id}', String(id))}?apply_markdown=false`;
  const json = jsonOf(await request(asking(call, path)));
  const { data } = messageHeader.safeParse(json?.['message']);
  if (data) headers.note(data);
}

/**
 * Stores tombstones for deleted messages, once for all members who report them. Without the sender and the time there is none.
 * A failure is only logged, because the messages are deleted already and the call itself succeeds.
 */
export async function bury(
  { database, headers, log }: TombstoneDependencies,
  messageIds: readonly number[],
  call: ChatCall,
  streamId?: number,
): Promise<void> {
  try {
    const stored = new Set(tombstones.among(database.reader, messageIds));
    const missing = messageIds.filter((id) => !stored.has(id)).flatMap((id) => headers.get(id) ?? []);
    if (missing.length === 0) return;
    // A message may have been moved to another stream since it was noted.
    const moved = streamId === undefined ? {} : { conversation: JSON.stringify(streamId) };
    await database.write((tx) => missing.forEach((each) => tombstones.add(tx, { ...each, ...moved })));
  } catch (error) {
    log({ event: 'tombstone_not_stored', call: nameOfCall(call), error });
  }
}

const conversationOperators = new Set(['stream', 'channel', 'dm', 'pm-with']);

/** Whether a narrow has all messages, or those of one conversation. Other narrows find messages by what a deleted one has lost. */
function isOneConversation(query: URLSearchParams): boolean {
  const { data } = getMessages.parameters.narrow.schema.safeParse(parseJson(query.get('narrow') ?? '[]'));
  if (!data) return false;
  const [first, ...others] = data;
  if (!first) return true;
  return others.length === 0 && !first.negated && conversationOperators.has(first.operator);
}

/** Between two ids that are not included. */
interface Span {
  readonly after: number;
  readonly before: number;
}

/** The ids of which the page has all messages. A page that goes on from an anchor begins there, so that pages leave no gap. */
function spanOf(query: URLSearchParams, { found_oldest, found_newest, messages }: Page): Span {
  const anchor = query.get('anchor') ?? '';
  const from = /^\d{1,15}$/.test(anchor) ? Number(anchor) : undefined;
  const own = query.get('include_anchor') === 'false' ? 0 : 1;
  const oldest = found_oldest ? 0 : (messages[0]?.id ?? 0);
  const newest = found_newest ? Number.MAX_SAFE_INTEGER : (messages.at(-1)?.id ?? 0);
  return {
    after: from !== undefined && query.get('num_before') === '0' ? from - own : oldest,
    before: from !== undefined && query.get('num_after') === '0' ? from + own : newest,
  };
}

/**
 * The tombstones of the conversations of which Zulip has answered messages. Zulip also answers the messages that a former member
 * of a stream once received, so that the tombstones of a stream need a present subscription, and a history that is shared.
 */
async function tombstonesIn(
  dependencies: TombstoneDependencies,
  call: ChatCall,
  span: Span,
  messages: readonly MessageHeader[],
): Promise<MessageHeader[]> {
  const { database } = dependencies;
  const present = new Set(messages.map(({ id }) => id));
  const samples = new Map(messages.map((message) => [conversationOf(message), message]));
  const found = [...samples].flatMap(([conversation, sample]) =>
    conversation === undefined ? [] : inConversation(database.reader, conversation, span).map((each) => ({ each, sample })),
  );
  const shown = found.filter(({ each }) => !present.has(each.message_id));
  if (shown.length === 0) return [];
  const streamIds = new Set(shown.flatMap(({ sample }) => sample.stream_id ?? []));
  const open = streamIds.size > 0 ? await openStreams(dependencies, call) : new Set<number>();
  return shown
    .filter(({ sample: { stream_id } }) => stream_id === undefined || open.has(stream_id))
    .map(({ each, sample }) => tombstoneView(each, sample));
}

const inConversation = (reader: Reader, conversation: string, { after, before }: Span): Tombstone[] =>
  tombstones.between(reader, conversation, after, before, mostPerConversation);

const subscribed = z.object({
  subscriptions: z.array(z.object({ stream_id: z.int(), history_public_to_subscribers: z.boolean() })),
});

/** The streams of the member in which every subscriber reads all messages. */
async function openStreams({ request }: TombstoneDependencies, call: ChatCall): Promise<ReadonlySet<number>> {
  const json = jsonOf(await request(asking(call, getSubscriptions.path)));
  const { subscriptions = [] } = subscribed.safeParse(json).data ?? {};
  return new Set(subscriptions.filter((each) => each.history_public_to_subscribers).map(({ stream_id }) => stream_id));
}

/** @param sample another message of the conversation, which says what the stream or the participants are called now. */
function tombstoneView({ message_id, topic, sender_id, timestamp }: Tombstone, sample: MessageHeader): MessageHeader {
  const { type, recipient_id, stream_id, display_recipient, content_type } = sample;
  return {
    id: message_id,
    sender_id,
    sender_email: '',
    sender_full_name: '',
    sender_realm_str: '',
    avatar_url: null,
    client: '',
    timestamp,
    content: '',
    content_type,
    is_me_message: false,
    recipient_id,
    type,
    display_recipient,
    stream_id,
    subject: topic,
    topic_links: [],
    reactions: [],
    submessages: [],
    flags: ['read'],
    deleted: true,
  };
}
