import { cutContent, getMessage, renderMessage } from '@engawa/protocol';
import { type Route, memberRoute } from '../http/router.ts';
import { Visibility } from '../privacy/visibility.ts';
import { flagsSeenBy } from '../reading/unread.ts';
import { readableMessage } from './access.ts';
import { deleteRoute, deleteTopicRoute } from './delete.ts';
import type { MessageDependencies } from './dependencies.ts';
import { editRoute } from './edit.ts';
import { fetchRoutes } from './fetch.ts';
import { historyRoute } from './history.ts';
import { htmlRenderer } from './htmlRenderer.ts';
import { sendRoute } from './send.ts';
import { messageViews } from './view.ts';

export function messageRoutes(dependencies: MessageDependencies): Route[] {
  const { database, groups } = dependencies;
  return [
    ...fetchRoutes(dependencies),
    sendRoute(dependencies),
    editRoute(dependencies),
    deleteRoute(dependencies),
    deleteTopicRoute(dependencies),
    historyRoute(dependencies),

    memberRoute(getMessage, ({ message_id, apply_markdown }, { member }) =>
      database.snapshot((reader) => {
        const message = readableMessage(reader, member, message_id);
        const flags = [...flagsSeenBy(reader, member.id)(message)];
        return {
          message: { ...messageViews(reader, new Visibility(reader, groups), member)(message, apply_markdown), flags },
          raw_content: message.content,
        };
      }),
    ),

    memberRoute(renderMessage, ({ content }, { member, client }) => ({
      rendered: htmlRenderer(
        database.reader,
        new Visibility(database.reader, groups),
        member,
      )({ content: cutContent(content), client }),
    })),
  ];
}
