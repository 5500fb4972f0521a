import { renderMessage } from '@engawa/protocol';
import type { Database } from '../database/index.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { cutContent } from './content.ts';
import { htmlRenderer } from './htmlRenderer.ts';

export function renderRoute(database: Database): Route {
  return memberRoute(renderMessage, ({ content }, { member, client }) => ({
    rendered: htmlRenderer(database.reader, member)({ content: cutContent(content), client }),
  }));
}
