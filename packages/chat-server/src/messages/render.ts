import { renderMessage } from '@engawa/protocol';
import type { Database } from '../database/index.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { cutContent } from './content.ts';
import { htmlRenderer } from './htmlRenderer.ts';

/** Renders a text like a message of the same client, truncated like a message. */
export function renderRoute(database: Database): Route {
  return memberRoute(renderMessage, ({ content }, { member, client }) => ({
    rendered: htmlRenderer(database.reader, member)({ content: cutContent(content), client }),
  }));
}
