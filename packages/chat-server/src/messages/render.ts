import { renderMessage } from '@engawa/protocol';
import type { Database } from '../database/index.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { cutContent } from './content.ts';
import { htmlRenderer } from './htmlRenderer.ts';

/** As much of a text as a message would hold, as it would be shown if the same client sent it. */
export function renderRoute(database: Database): Route {
  return memberRoute(renderMessage, ({ content }, { member, client }) => ({
    rendered: htmlRenderer(database.reader, member)({ content: cutContent(content), client }),
  }));
}
