import { getEvents } from '@engawa/protocol';
import { z } from 'zod';
import type { ChatCall } from '../../backend.ts';
import { jsonOf, withJson } from './answer.ts';
import { forgetLeft, restoreMentioned } from './archive.ts';
import type { Handler } from './handlers.ts';
import { messageHeader } from './headers.ts';
import { isOwnSetting } from './settings.ts';
import { type TombstoneDependencies, bury } from './tombstones.ts';

/** A larger answer is passed on unchanged: a client that was away for long gets many events at once. */
const mostBytes = 8 * 1024 * 1024;

const arrived = z.looseObject({ id: z.int(), type: z.string() });
type Arrived = z.output<typeof arrived>;

/** Reads the answers of the members' polls, because nothing else tells what has happened at Zulip. */
export function eventHandler(dependencies: TombstoneDependencies): Handler {
  const { request } = dependencies;
  return {
    endpoint: getEvents,
    async handle(call) {
      const reply = await request(call);
      const json = jsonOf(reply, mostBytes);
      const events = z.array(arrived).safeParse(json?.['events']).data;
      if (!json || !events) return reply;
      await note(dependencies, call, events);
      if (!events.some(isReplaced)) return reply;
      // The heartbeat keeps the id, which the client acknowledges.
      const shown = events.map((event) => (isReplaced(event) ? { id: event.id, type: 'heartbeat' } : event));
      return withJson(reply, { ...json, events: shown });
    },
  };
}

/** Whether the event is about what the product stores instead of Zulip. */
function isReplaced({ type, property }: Arrived): boolean {
  return type === 'drafts' || (type === 'user_settings' && typeof property === 'string' && isOwnSetting(property));
}

const messageArrived = z.looseObject({ message: messageHeader, flags: z.array(z.string()) });
const messagesDeleted = z.looseObject({
  message_id: z.int().optional(),
  message_ids: z.array(z.int()).optional(),
  stream_id: z.int().optional(),
});
const unsubscribed = z.looseObject({ op: z.literal('remove'), subscriptions: z.array(z.looseObject({ stream_id: z.int() })) });

async function note(dependencies: TombstoneDependencies, call: ChatCall, events: readonly Arrived[]): Promise<void> {
  const { headers } = dependencies;
  const { memberId } = call;
  for (const event of events) {
    if (event.type === 'message') {
      const { data } = messageArrived.safeParse(event);
      if (!data) continue;
      headers.note(data.message);
      const { id, stream_id, sender_id } = data.message;
      if (memberId !== undefined && stream_id !== undefined && sender_id !== memberId && isMention(data.flags)) {
        await restoreMentioned(dependencies, memberId, [{ streamId: stream_id, messageId: id }]);
      }
    } else if (event.type === 'delete_message') {
      const { message_id, message_ids = [], stream_id } = messagesDeleted.safeParse(event).data ?? {};
      await bury(dependencies, message_id === undefined ? message_ids : [message_id], call, stream_id);
    } else if (event.type === 'subscription' && memberId !== undefined) {
      const { subscriptions = [] } = unsubscribed.safeParse(event).data ?? {};
      await forgetLeft(
        dependencies,
        memberId,
        subscriptions.map(({ stream_id }) => stream_id),
      );
    }
  }
}

const isMention = (flags: readonly string[]): boolean =>
  flags.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned'));
