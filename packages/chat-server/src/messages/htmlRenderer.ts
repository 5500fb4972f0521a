import { dialectOf } from '@engawa/markup';
import { type Viewer, isOpenTo } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import type { Visibility } from '../privacy/visibility.ts';
import { linkifiers, realmEmoji } from '../realm/store.ts';
import { groupShownAs } from '../userGroups/mentioned.ts';
import { type LinkedStream, type NamedUser, renderHtml } from './html.ts';
import { type CompiledLinkifier, compileLinkifiers } from './linkify.ts';
import { usersNamed } from './mentions.ts';
import type { MessageRow } from './store.ts';
import { streams } from '../conversations/streams.ts';

export type HtmlRenderer = (message: Pick<MessageRow, 'content' | 'client'>) => string;

/**
 * Only viewers who may enter public streams get links to them and see groups, and a mention of a user whom the viewer does not see
 * stays as typed. Nothing else differs. Each name is looked up once.
 */
export function htmlRenderer(
  reader: Reader,
  visibility: Visibility,
  viewer: Viewer,
  words: readonly string[] = [],
): HtmlRenderer {
  let compiled: readonly CompiledLinkifier[] | undefined;
  const lookUps = {
    user: remembering(
      (named: NamedUser) => usersNamed(reader, named, (id) => visibility.sees(viewer, id))[0],
      ({ name, id }) => `${id} ${name}`,
    ),
    openStream: remembering((name: string) => openStream(reader, viewer, name)),
    group: remembering((name: string) => groupShownAs(reader, viewer, name)),
    ownEmoji: remembering((name: string) => realmEmoji.byName(reader, name)?.source_url),
    linkifiers: () => (compiled ??= compileLinkifiers(linkifiers.all(reader))),
  };
  return ({ content, client }) => renderHtml(content, { dialect: dialectOf(client), words, ...lookUps });
}

function openStream(reader: Reader, viewer: Pick<Viewer, 'role'>, name: string): LinkedStream | undefined {
  const stream = streams.byName(reader, name);
  return isOpenTo(viewer, stream) ? stream : undefined;
}

function remembering<Key, Value>(lookUp: (key: Key) => Value, textOf: (key: Key) => string = String): (key: Key) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (key) => {
    const text = textOf(key);
    const { value } = known.get(text) ?? { value: lookUp(key) };
    known.set(text, { value });
    return value;
  };
}
