import { dialectOf } from '@engawa/markup';
import { type Viewer, isOpenTo } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { linkifiers, realmEmoji } from '../realm/store.ts';
import { type LinkedStream, type NamedUser, renderHtml } from './html.ts';
import { type CompiledLinkifier, compileLinkifiers } from './linkify.ts';
import { usersNamed } from './mentions.ts';
import type { MessageRow } from './store.ts';
import { streams } from '../conversations/streams.ts';

export type HtmlRenderer = (message: Pick<MessageRow, 'content' | 'client'>) => string;

/**
 * Renders messages, alike for all who may enter public streams and for all who may not. What messages name is looked up
 * once, so ask one of these for all messages of a call.
 * @param words what is marked as found (`wordsOf`).
 */
export function htmlRenderer(reader: Reader, viewer: Pick<Viewer, 'role'>, words: readonly string[] = []): HtmlRenderer {
  let compiled: readonly CompiledLinkifier[] | undefined;
  const lookUps = {
    user: remembering(
      (named: NamedUser) => usersNamed(reader, named)[0],
      ({ name, id }) => `${id} ${name}`,
    ),
    openStream: remembering((name: string) => openStream(reader, viewer, name)),
    ownEmoji: remembering((name: string) => realmEmoji.byName(reader, name)?.source_url),
    linkifiers: () => (compiled ??= compileLinkifiers(linkifiers.all(reader))),
  };
  return ({ content, client }) => renderHtml(content, { dialect: dialectOf(client), words, ...lookUps });
}

function openStream(reader: Reader, viewer: Pick<Viewer, 'role'>, name: string): LinkedStream | undefined {
  const stream = streams.byName(reader, name);
  return isOpenTo(viewer, stream) ? stream : undefined;
}

/** Asks once for each key. */
function remembering<Asked, Found>(
  lookUp: (asked: Asked) => Found,
  keyOf: (asked: Asked) => string = String,
): (asked: Asked) => Found {
  const known = new Map<string, { readonly found: Found }>();
  return (asked) => {
    const key = keyOf(asked);
    const { found } = known.get(key) ?? { found: lookUp(asked) };
    known.set(key, { found });
    return found;
  };
}
