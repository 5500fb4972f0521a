import { renderMessage, type Connection } from '@engawa/client';
import { emojiOf } from './reactions.ts';

/**
 * The server's own name of a Unicode emoji: Zulip accepts a reaction only under a name of its version, and writes the name
 * when it renders the character.
 */
export async function nameOnServer(connection: Connection, code: string, signal: AbortSignal): Promise<string | undefined> {
  const { rendered } = await renderMessage(connection, { content: emojiOf(code) }, { signal });
  return /:([^:<>\s]+):</.exec(rendered)?.[1];
}
