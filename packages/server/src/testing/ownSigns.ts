import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { emailOf, type RunningProduct } from './product.ts';

/** A custom emoji and a filter, which the demo organisation lacks. */
export const ownEmoji = { name: 'engawa', source_url: '/emoji/engawa.png', author: 'tanaka' };
const ownFilter = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' };

export function bringOwnSigns({ dataDirectory }: RunningProduct): void {
  const database = new DatabaseSync(join(dataDirectory, 'chat', 'chat.db'));
  database
    .prepare('INSERT INTO realm_emoji (name, source_url, author_id) SELECT ?, ?, id FROM user WHERE email = ?')
    .run(ownEmoji.name, ownEmoji.source_url, emailOf(ownEmoji.author));
  database.prepare('INSERT INTO linkifier (pattern, url_template) VALUES (?, ?)').run(ownFilter.pattern, ownFilter.url_template);
  database.close();
}
