import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@engawa/chat-server/database';
import {
  type FileMessageRow,
  type Profiles,
  type Upload,
  type ZulipExport,
  listInJson,
  realmId,
  tablesInJson,
} from '@engawa/chat-server/export';
import { paths } from '@engawa/protocol/product';
import { carries } from '../files/access.ts';
import { type FileRow, files } from '../files/store.ts';
import { hasCode } from '../log/failure.ts';
import { avatars } from '../profile/store.ts';
import { exported } from './store.ts';
import type { TarEntry } from './tar.ts';
import { uploadPath } from './uploads.ts';

/** The folder in the archive. */
export const topFolder = 'engawa-for-zulip';

export interface EntryCounts {
  uploads: number;
  /** Files of messages that were missing on the disk. */
  lostUploads: number;
  /** Files without a message. */
  unsentUploads: number;
  /** Files that are too large for a column of Zulip. */
  largeUploads: number;
  pictures: number;
}

interface Sources {
  readonly dataDirectory: string;
  readonly chat: ZulipExport;
  /** A copy of engawa.db. */
  readonly product: Database;
}

const filesPerPage = 1000;
/** Zulip stores sizes as 32-bit integers, and its import would fail at a larger one. */
const mostUploadBytes = 2 ** 31 - 1;

/** The files of the archive, in the layout of Zulip's own exports. */
export class ZulipEntries {
  readonly counts: EntryCounts = { uploads: 0, lostUploads: 0, unsentUploads: 0, largeUploads: 0, pictures: 0 };
  readonly #sources: Sources;
  /** The stored names of the files that are in the archive. */
  readonly #uploaded = new Set<string>();
  /** The pictures in the archive, by user id. */
  readonly #pictures = new Map<number, object>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Stored files come first, because members may remove some meanwhile: later entries name only those in the archive. */
  async *all(): AsyncGenerator<TarEntry, void> {
    const { chat } = this.#sources;
    yield* this.#uploads();
    yield* this.#avatars();
    yield textEntry('uploads/records.json', () => listInJson(this.#uploadRecords()));
    yield textEntry('avatars/records.json', () => listInJson(this.#pictures.values()));
    let number = 0;
    for (const text of chat.messageFiles((message, storedName) => this.#uploadOf(message, storedName))) {
      number += 1;
      yield textEntry(`messages-${String(number).padStart(6, '0')}.json`, () => [text]);
    }
    yield textEntry('realm.json', () => chat.realm((userId) => this.#pictures.has(userId), this.#profiles()));
    yield textEntry('attachment.json', () => tablesInJson([['zerver_attachment', this.#attachments()]]));
  }

  async *#uploads(): AsyncGenerator<TarEntry, void> {
    for (const file of this.#files()) {
      if (this.#messagesOf(file).length === 0) {
        this.counts.unsentUploads += 1;
        continue;
      }
      if (file.size > mostUploadBytes) {
        this.counts.largeUploads += 1;
        continue;
      }
      const found = yield* this.#stored('files', file.place, `uploads/${uploadPath(file)}`);
      if (!found) {
        this.counts.lostUploads += 1;
        continue;
      }
      this.#uploaded.add(file.stored_name);
      this.counts.uploads += 1;
    }
  }

  async *#avatars(): AsyncGenerator<TarEntry, void> {
    const { chat, product } = this.#sources;
    for (const { userId, email, url } of chat.pictures()) {
      const prefix = `${paths.avatars}${userId}/`;
      const row = url.startsWith(prefix) ? avatars.find(product.reader, userId, url.slice(prefix.length)) : undefined;
      // Zulip makes the sizes that it needs from a file with this ending.
      const path = `${realmId}/${userId}.original`;
      if (!row || !(yield* this.#stored('avatars', row.version, `avatars/${path}`))) continue;
      this.#pictures.set(userId, {
        realm_id: realmId,
        user_profile_id: userId,
        user_profile_email: email,
        path,
        s3_path: path,
        size: row.size,
        content_type: row.type,
        last_modified: chat.created,
        importer_should_thumbnail: true,
      });
      this.counts.pictures += 1;
    }
  }

  /** @returns false if the file is missing. */
  async *#stored(folder: string, place: string, path: string): AsyncGenerator<TarEntry, boolean> {
    const file = await openStored(join(this.#sources.dataDirectory, folder, place));
    if (!file) return false;
    try {
      const { size } = await file.stat();
      const content = size === 0 ? [] : file.createReadStream({ autoClose: false, end: size - 1 });
      yield { path: `${topFolder}/${path}`, size, content };
      return true;
    } finally {
      await file.close();
    }
  }

  *#files(): Generator<FileRow, void> {
    const { reader } = this.#sources.product;
    let last = '';
    for (;;) {
      const page = exported.files(reader, last, filesPerPage);
      yield* page;
      if (page.length < filesPerPage) return;
      last = page.at(-1)?.stored_name ?? '';
    }
  }

  *#uploadedFiles(): Generator<FileRow, void> {
    for (const file of this.#files()) if (this.#uploaded.has(file.stored_name)) yield file;
  }

  *#uploadRecords(): Generator<object, void> {
    for (const file of this.#uploadedFiles()) {
      const path = uploadPath(file);
      yield {
        realm_id: realmId,
        user_profile_id: file.uploader_id,
        path,
        s3_path: path,
        size: file.size,
        content_type: file.type,
        last_modified: file.created,
      };
    }
  }

  *#attachments(): Generator<object, void> {
    let id = 0;
    for (const file of this.#uploadedFiles()) {
      const messages = this.#messagesOf(file);
      id += 1;
      yield {
        id,
        realm: realmId,
        owner: file.uploader_id,
        file_name: file.name,
        path_id: uploadPath(file),
        create_time: file.created,
        size: file.size,
        is_realm_public: messages.some(({ isPublic }) => isPublic),
        is_web_public: false,
        messages: messages.map((message) => message.id).toReversed(),
        scheduled_messages: [],
      };
    }
  }

  #messagesOf(file: FileRow): FileMessageRow[] {
    const messages = this.#sources.chat.messagesOfFile(file.uploader_id, file.stored_name);
    return messages.filter((message) => carries(message, file));
  }

  #uploadOf(message: Pick<FileMessageRow, 'sender_id' | 'content'>, storedName: string): Upload | undefined {
    if (!this.#uploaded.has(storedName)) return undefined;
    const file = files.find(this.#sources.product.reader, storedName);
    return file && carries(message, file) ? { path: uploadPath(file), name: file.name } : undefined;
  }

  /** Fields only if a member has one, because Zulip shows a field to everybody. */
  #profiles(): Profiles {
    const texts = () =>
      exported.profiles(this.#sources.product.reader).map(({ user_id, location, reading, title }) => {
        return { userId: user_id, texts: [location, reading, title] };
      });
    const isUsed = texts().some((own) => own.texts.some((text) => text !== ''));
    return { fields: isUsed ? ['所在地', '読み', '役職'] : [], values: texts };
  }
}

/** Reads the parts twice: the header of a file needs its size. */
function textEntry(path: string, parts: () => Iterable<string>): TarEntry {
  let size = 0;
  for (const part of parts()) size += Buffer.byteLength(part);
  return { path: `${topFolder}/${path}`, size, content: bytesOf(parts()) };
}

function* bytesOf(parts: Iterable<string>): Generator<Uint8Array, void> {
  for (const part of parts) yield Buffer.from(part);
}

async function openStored(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
