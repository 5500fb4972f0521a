import { fold } from '@engawa/folding';
import type { Reader } from '../database/index.ts';
import { systemClock } from '../clock.ts';
import { EventLog } from '../events/log.ts';
import { z } from 'zod';
import { realms } from '../realm/store.ts';
import { type Entry, type Progress, SearchFile } from './searchFile.ts';
import { source } from './source.ts';
import { textsOf } from './text.ts';
import { conversationToken, tokensOf } from './tokens.ts';

const messagesPerPage = 20;
const perBatch = { messages: 1000, characters: 300_000 } as const;
const aboveAll = Number.MAX_SAFE_INTEGER;

/** Keeps a search index up to date with the event log. It fills a new index from the newest message to the oldest. */
export class Indexer {
  readonly #reader: Reader;
  readonly #log = new EventLog(systemClock);
  readonly #file: SearchFile;
  #changes: Changes | undefined;
  /** Since the last message of a fill. */
  #isMerging = false;

  constructor(reader: Reader, file: string, rebuild: boolean) {
    this.#reader = reader;
    const epoch = realms.get(reader)?.epoch ?? '';
    const existing = rebuild ? undefined : SearchFile.open(file, epoch);
    this.#file = existing ?? SearchFile.create(file, epoch, this.#beginning());
  }

  get progress(): Progress {
    return this.#file.progress;
  }

  /** Indexes one batch, or merges a part of what a fill has written. @returns whether there may be more to do. */
  advance(): boolean {
    return this.#follow() || this.#fill() || this.#merge();
  }

  /** @throws if the file cannot be written. */
  probe(): void {
    this.#file.write(() => this.progress);
  }

  close(): void {
    this.#file.close();
  }

  /** The progress of a new index. The log is read before the messages, so that later messages are in the log. */
  #beginning(): Progress {
    const { newest } = this.#log.bounds(this.#reader);
    const [message] = source.below(this.#reader, aboveAll, 1);
    return { cursor: newest, floor: message ? message.id + 1 : 0 };
  }

  #follow(): boolean {
    const { cursor, floor } = this.progress;
    const { newest, pruned } = this.#log.bounds(this.#reader);
    if (cursor < pruned || cursor > newest) {
      // The log no longer has all changes. The existing entries still find candidates while the index is rebuilt.
      this.#changes = undefined;
      this.#file.write(() => this.#beginning());
      return true;
    }
    const changes = (this.#changes ??= this.#changesAfter(cursor));
    if (!changes) return false;
    this.#file.write((put) => {
      const batch = new Batch();
      while (changes.ids.length > 0 && !batch.isFull) {
        batch.take(source.these(this.#reader, changes.ids.splice(0, messagesPerPage)));
      }
      batch.write(put);
      // The cursor moves after all messages of an event are indexed. An event of thousands of messages takes several batches.
      return { cursor: changes.ids.length > 0 ? cursor : changes.upTo, floor };
    });
    if (changes.ids.length === 0) this.#changes = undefined;
    return true;
  }

  #changesAfter(cursor: number): Changes | undefined {
    const ids = new Set<number>();
    let upTo: number | undefined;
    // Most events are about one message, so that this many fill one batch.
    for (const event of source.eventsAfter(this.#reader, cursor, perBatch.messages)) {
      for (const id of changedBy(event)) ids.add(id);
      upTo = event.id;
      if (ids.size >= perBatch.messages) break;
    }
    return upTo === undefined ? undefined : { ids: [...ids], upTo };
  }

  #fill(): boolean {
    const { cursor, floor } = this.progress;
    if (floor === 0) return false;
    this.#file.write((put) => {
      const batch = new Batch();
      let lowest = floor;
      while (!batch.isFull) {
        const page = source.below(this.#reader, lowest, messagesPerPage);
        batch.take(page);
        const last = page.at(-1);
        lowest = last && page.length === messagesPerPage ? last.id : 0;
        if (lowest === 0) break;
      }
      batch.write(put);
      return { cursor, floor: lowest };
    });
    if (this.progress.floor === 0) this.#isMerging = this.#file.beginMerge();
    return true;
  }

  #merge(): boolean {
    if (this.#isMerging) this.#isMerging = this.#file.continueMerge();
    return this.#isMerging;
  }
}

interface Changes {
  readonly ids: number[];
  readonly upTo: number;
}

type Indexed = ReturnType<typeof source.these>[number];

/** The messages that are indexed in one write. The thread obeys no orders during a batch, so its size is limited. */
class Batch {
  readonly #messages: Indexed[] = [];
  #characters = 0;

  get isFull(): boolean {
    return this.#messages.length >= perBatch.messages || this.#characters >= perBatch.characters;
  }

  take(messages: readonly Indexed[]): void {
    this.#messages.push(...messages);
    for (const { content } of messages) this.#characters += content.length;
  }

  /** The oldest first, because FTS5 writes what it has collected before it takes an id below the last one. */
  write(put: (entry: Entry) => void): void {
    for (const message of this.#messages.toSorted((one, other) => one.id - other.id)) put(entryOf(message));
  }
}

const updatedMessages = z.object({ message_ids: z.array(z.int()) });

function changedBy(event: ReturnType<typeof source.eventsAfter>[number]): readonly number[] {
  switch (event.type) {
    case 'message':
    case 'delete_message':
      return event.message_id === null ? [] : [event.message_id];
    case 'update_message':
      return updatedMessages.parse(JSON.parse(event.payload ?? 'null')).message_ids;
    default:
      return [];
  }
}

function entryOf(message: Indexed): Entry {
  const { id, conversation_id, deleted } = message;
  if (deleted !== null) return { id, tokens: undefined };
  return { id, tokens: tokensOf(textsOf(message).map(fold)).add(conversationToken(conversation_id)) };
}
