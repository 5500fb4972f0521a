// What a message takes on the disk, with its indexes and with what it is found by, beside the bytes that were said.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { historyFor, withChat } from './sharedHistory.mjs';

export async function measure({ long, tell }) {
  const history = await historyFor({ long, tell });
  // The index is whole before anything is done, and its log is empty once it is closed.
  await withChat(history, async () => undefined);
  const { messages, contentBytes, bytes, behind, eventBytes } = history;
  const search = statSync(join(history.directory, 'chat', 'search.db')).size;
  const said = contentBytes / messages;
  const reference = { name: 'bytes of its text', value: said, kind: 'floor' };
  return [
    {
      name: 'bytes on the disk a message',
      value: (bytes + search) / messages,
      unit: 'B',
      reference,
      detail: `${(bytes / messages).toFixed(0)} in chat.db with all else in it, ${(search / messages).toFixed(0)} in search.db; UTF-8, some 40 characters`,
    },
    {
      name: 'bytes of its event, until the log lets go of it',
      value: eventBytes / behind,
      unit: 'B',
      reference,
      detail: 'with the queues that wait for it',
    },
  ];
}
