import { type Reader, type Transaction, WriteFailedError } from '@engawa/chat-server/database';
import { chatRefused } from '@engawa/chat-server/parts';
import {
  decodeParameters,
  getMessages,
  getSubscriptions,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
} from '@engawa/protocol';
import type { LiveEvent } from '@engawa/protocol/live';
import { z } from 'zod';
import { parseJson } from '../../../parseJson.ts';
import type { ChatCall, ChatReply } from '../../backend.ts';
import { needed, jsonOf, successOf, withJson } from './answer.ts';
import { asking, withForm } from './call.ts';
import { type Handler, type HandlerDependencies, changeHandler } from './handlers.ts';
import { putAway } from './store.ts';

/** The most streams that a member has archived, and that one call archives. */
const mostPutAway = 5000;
const mostPerCall = 100;

const property = 'put_away';

interface Change {
  readonly streamId: number;
  readonly value: boolean;
}

/** Archiving a stream in the member's own list (アーカイブ), which Zulip does not know. */
export function archiveHandlers(dependencies: HandlerDependencies): Handler[] {
  const { request, database, callers } = dependencies;
  return [
    changeHandler(updateSubscriptionProperties, dependencies, async (memberId, { parameters, call }) => {
      const { subscription_data } = decodeParameters(updateSubscriptionProperties, parameters.get);
      const own = subscription_data.filter((each) => each.property === property);
      const others = subscription_data.filter((each) => each.property !== property);
      if (own.length === 0) return request(call);
      const changes = own.map(({ stream_id, value }) => ({ streamId: stream_id, value: truth(value) }));
      if (others.length > 0) {
        const reply = await request(withForm(call, [['subscription_data', JSON.stringify(others)]]));
        if (reply.status !== 200) return reply;
      }
      return change(dependencies, memberId, call, changes);
    }),

    changeHandler(updateSubscriptionProperty, dependencies, async (memberId, { parameters, call }, ids) => {
      const set = decodeParameters(updateSubscriptionProperty, parameters.get, ids);
      if (set.property !== property) return request(call);
      return change(dependencies, memberId, call, [{ streamId: set.stream_id, value: truth(parseJson(set.value)) }]);
    }),

    {
      endpoint: getSubscriptions,
      async handle(call) {
        const memberId = await callers.memberOf(call);
        // Few members archive streams, so most lists are passed on without being read.
        const archived = memberId === undefined ? [] : putAway.of(database.reader, memberId).map(({ stream_id }) => stream_id);
        if (memberId === undefined || archived.length === 0) return request(call);
        const reply = await request(call);
        const json = jsonOf(reply);
        const listed = list.safeParse(json?.['subscriptions']).data;
        if (!json || !listed) return reply;
        const subscribed = new Set(listed.map(({ stream_id }) => stream_id));
        await forgetLeft(
          dependencies,
          memberId,
          archived.filter((id) => !subscribed.has(id)),
        );
        return withJson(reply, { ...json, subscriptions: withArchived(listed, archived) });
      },
    },
  ];
}

const list = z.array(z.looseObject({ stream_id: z.int() }));

const withArchived = (subscriptions: z.output<typeof list>, archived: readonly number[]) =>
  subscriptions.map((each) => ({ ...each, put_away: archived.includes(each.stream_id) }));

/** Adds what is archived to a list of subscriptions in another answer. */
export function archivedIn(reader: Reader, memberId: number, subscriptions: unknown): unknown {
  const listed = list.safeParse(subscriptions).data;
  if (!listed) return subscriptions;
  return withArchived(
    listed,
    putAway.of(reader, memberId).map(({ stream_id }) => stream_id),
  );
}

/** A member who subscribes again has the stream in their list again. */
export async function forgetLeft(dependencies: HandlerDependencies, memberId: number, streamIds: readonly number[]) {
  if (streamIds.length === 0) return;
  await update(dependencies, (tx) => streamIds.forEach((id) => putAway.remove(tx, memberId, id)));
}

/** Stores what an answer of Zulip says. A failure is only logged, so that members read on when the disk is full. */
async function update({ database, log }: HandlerDependencies, change: (tx: Transaction) => void): Promise<void> {
  try {
    await database.write(change);
  } catch (error) {
    if (!(error instanceof WriteFailedError)) throw error;
    log({ event: 'archive_not_updated', error });
  }
}

export interface Mention {
  readonly streamId: number;
  readonly messageId: number;
}

/** Brings archived streams back to the list in which a later message mentions the member. */
export async function restoreMentioned(
  dependencies: HandlerDependencies,
  memberId: number,
  mentions: readonly Mention[],
): Promise<void> {
  if (mentions.length === 0) return;
  const { database, publish } = dependencies;
  const restored = putAway
    .of(database.reader, memberId)
    .filter(({ stream_id, newest_message }) =>
      mentions.some(({ streamId, messageId }) => streamId === stream_id && messageId > newest_message),
    );
  if (restored.length === 0) return;
  await update(dependencies, (tx) => {
    for (const { stream_id } of restored) {
      if (putAway.remove(tx, memberId, stream_id) > 0) tx.afterCommit(() => publish([memberId], updated(stream_id, false)));
    }
  });
}

async function change(
  { database, publish, count, request }: HandlerDependencies,
  memberId: number,
  call: ChatCall,
  changes: readonly Change[],
): Promise<ChatReply> {
  if (changes.length > mostPerCall) throw chatRefused.because(`Too many streams (limit: ${mostPerCall}).`);
  count(memberId);
  const newest = new Map<number, number>();
  for (const { streamId } of changes.filter(({ value }) => value)) {
    const reply = await request(asking(call, newestIn(streamId)));
    const json = jsonOf(reply);
    // Zulip refuses a stream that the member cannot read.
    if (reply.status !== 200) return reply;
    newest.set(streamId, needed(newestMessage, json).messages.at(-1)?.id ?? 0);
  }
  await database.write((tx) => {
    for (const { streamId, value } of changes) {
      const row = { user_id: memberId, stream_id: streamId, newest_message: newest.get(streamId) ?? 0 };
      const changed = value ? putAway.add(tx, row) : putAway.remove(tx, memberId, streamId);
      if (changed > 0) tx.afterCommit(() => publish([memberId], updated(streamId, value)));
    }
    if ((putAway.count(tx, memberId) ?? 0) > mostPutAway) {
      throw chatRefused.because(`Too many archived streams (limit: ${mostPutAway}).`);
    }
  });
  return successOf(memberId);
}

const newestMessage = z.object({ messages: z.array(z.object({ id: z.int() })) });

function newestIn(streamId: number): string {
  const narrow = JSON.stringify([{ operator: 'stream', operand: streamId }]);
  const query = new URLSearchParams({ anchor: 'newest', num_before: '1', num_after: '0', apply_markdown: 'false', narrow });
  return `${getMessages.path}?${query}`;
}

const updated = (stream_id: number, value: boolean): LiveEvent => ({
  type: 'subscription',
  op: 'update',
  stream_id,
  property,
  value,
});

function truth(value: unknown): boolean {
  if (typeof value !== 'boolean') throw chatRefused.because(`${property} is not a boolean`);
  return value;
}
