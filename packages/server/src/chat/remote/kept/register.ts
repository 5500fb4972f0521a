import { registerQueue, unreadMessages } from '@engawa/protocol';
import { z } from 'zod';
import { type Fields, jsonOf, withJson } from './answer.ts';
import { archivedIn, restoreMentioned } from './archive.ts';
import { draftsOf } from './drafts.ts';
import type { Handler, HandlerDependencies } from './handlers.ts';
import { ownSettingsOf, synchronizesDrafts } from './settings.ts';

/** Adds to the state of Zulip, of the parts that the client asked for, what the product stores. */
export function registerHandler(dependencies: HandlerDependencies): Handler {
  const { request, callers, database } = dependencies;
  return {
    endpoint: registerQueue,
    async handle(call) {
      const reply = await request(call);
      const json = jsonOf(reply);
      const memberId = json && (await callers.memberOf(call));
      if (!json || memberId === undefined) return reply;
      await restoreMentioned(dependencies, memberId, mentionsIn(json));
      const { reader } = database;
      const settings = z.looseObject({}).safeParse(json['user_settings']).data;
      return withJson(reply, {
        ...json,
        ...(settings && { user_settings: { ...settings, default_language: undefined, ...ownSettingsOf(reader, memberId) } }),
        ...(json['drafts'] !== undefined && {
          drafts: synchronizesDrafts(reader, memberId) ? draftsOf(reader, memberId) : [],
        }),
        ...(json['subscriptions'] !== undefined && {
          subscriptions: archivedIn(reader, memberId, json['subscriptions']),
        }),
      });
    },
  };
}

const unread = z.object({ streams: unreadMessages.shape.streams, mentions: unreadMessages.shape.mentions });

/** The mentions that arrived while the member had no queue. */
function mentionsIn({ unread_msgs }: Fields) {
  const { streams = [], mentions = [] } = unread.safeParse(unread_msgs).data ?? {};
  const mentioned = new Set(mentions);
  return streams.flatMap(({ stream_id: streamId, unread_message_ids }) =>
    unread_message_ids.filter((id) => mentioned.has(id)).map((messageId) => ({ streamId, messageId })),
  );
}
