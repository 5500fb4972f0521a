import { messageHeaders } from '../conversations/messageHeaders.ts';
import type { Reader } from '../database/index.ts';
import { users } from '../identity/store.ts';
import { type MessageRow, messages } from './store.ts';

/** Characters of contents. With the other columns some 10 MB. */
const mostShared = 2_000_000;
/** The other columns of a message count as so many characters. */
const charactersPerRow = 200;

/**
 * Rows that several fetches use, because members who return together fetch the same messages. They stay valid until a message, a
 * stream or a user changes: a new message has a new id.
 */
export class SharedMessages {
  #version = '';
  #size = 0;
  readonly #rows = new Map<number, MessageRow>();

  /** @param reader the snapshot of one fetch. */
  in(reader: Reader): (id: number) => MessageRow | undefined {
    const version = `${users.version(reader)} ${messageHeaders.version(reader)}`;
    this.#forgetUnless(version);
    return (id) => {
      const known = this.#version === version ? this.#rows.get(id) : undefined;
      return known ?? this.#look(reader, version, id);
    };
  }

  #look(reader: Reader, version: string, id: number): MessageRow | undefined {
    const row = messages.withSender(reader, id);
    // In a pause, another fetch may have seen another version.
    if (row && this.#version === version) {
      this.#rows.set(id, row);
      this.#size += row.content.length + charactersPerRow;
    }
    return row;
  }

  #forgetUnless(version: string): void {
    if (this.#version === version && this.#size < mostShared) return;
    this.#version = version;
    this.#size = 0;
    this.#rows.clear();
  }
}
