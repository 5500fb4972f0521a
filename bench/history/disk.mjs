// Measures the bytes of a message on the disk, including indexes, next to the bytes of its text.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { historyFor, withChat } from './sharedHistory.mjs';

export async function measure({ long, scale, log }) {
  const history = await historyFor({ long, scale, log });
  // `withChat` completes the search index, and closing it empties its write-ahead log.
  await withChat(history, async () => undefined);
  const { messages, contentBytes, bytes, behind, eventBytes } = history;
  const search = statSync(join(history.directory, 'chat', 'search.db')).size;
  const textBytes = contentBytes / messages;
  const reference = { name: 'bytes of its text', value: textBytes, kind: 'floor' };
  return [
    {
      name: 'bytes on the disk per message',
      value: (bytes + search) / messages,
      unit: 'B',
      reference,
      detail: `${(bytes / messages).toFixed(0)} in chat.db including all other data, ${(search / messages).toFixed(0)} in search.db; UTF-8, some 40 characters`,
    },
    {
      name: 'bytes of its event, while it is in the log',
      value: eventBytes / behind,
      unit: 'B',
      reference,
      detail: 'with the waiting queues',
    },
  ];
}
