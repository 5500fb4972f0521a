import { type NameMention, dialectOf, zulipSource } from '@engawa/markup';
import { parseFileMessage, replaceUploadLinks, uploadsLinkedIn } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { featureBits } from '../conversations/messageHeaders.ts';
import { users } from '../identity/store.ts';
import { usersNamed } from '../messages/mentions.ts';
import { escapeHtml } from '../text/characters.ts';
import type { ExportedEdit, ExportedMessage } from './store.ts';

/** A file in the archive. `path`: below Zulip's `/user_uploads/`. */
export interface Upload {
  readonly path: string;
  readonly name: string;
}

/** @returns undefined if the message does not carry the file, or the file is lost. */
export type UploadOf = (message: Pick<ExportedMessage, 'sender_id' | 'content'>, storedName: string) => Upload | undefined;

type Text = Pick<ExportedMessage, 'sender_id' | 'content' | 'client'>;

/** Writes the contents of messages as Zulip stores them. */
export class ContentWriter {
  readonly #uploadOf: UploadOf;
  readonly #nameOf: NameMention;

  constructor(reader: Reader, uploadOf: UploadOf) {
    this.#uploadOf = uploadOf;
    this.#nameOf = namesIn(reader);
  }

  /** The columns of a message that depend on its text. Zulip renders the text when it imports the message. */
  columns(message: ExportedMessage) {
    const file = parseFileMessage(message.content);
    const uploads = file ? [file.storedName] : uploadsLinkedIn(message.content);
    const hasUpload = uploads.some((storedName) => this.#uploadOf(message, storedName) !== undefined);
    const has = (feature: keyof typeof featureBits): boolean => (message.features & featureBits[feature]) !== 0;
    return {
      content: this.source(message),
      rendered_content: null,
      rendered_content_version: null,
      has_attachment: hasUpload,
      has_image: has('image') && (file === undefined || hasUpload),
      has_link: has('link') || hasUpload,
    };
  }

  source(message: Text): string {
    const file = parseFileMessage(message.content);
    if (!file) {
      const content = replaceUploadLinks(message.content, (storedName) => {
        const linked = this.#uploadOf(message, storedName);
        return linked && pathAtZulip(linked);
      });
      return zulipSource(content, dialectOf(message.client), this.#nameOf);
    }
    const upload = this.#uploadOf(message, file.storedName);
    return upload ? `[${labelOf(upload.name)}](${pathAtZulip(upload)})` : file.name;
  }

  /**
   * Zulip's JSON of a message's edits, the newest first, or null. The import of Zulip 8 does not translate the editors' ids, and
   * its web client fails at an unknown one, so they are left out.
   */
  editHistory(message: ExportedMessage, edits: readonly ExportedEdit[]): string | null {
    if (edits.length === 0) return null;
    return JSON.stringify(
      edits.map(({ timestamp, prev_content, prev_topic, topic }) => ({
        user_id: null,
        timestamp,
        ...(prev_content === null ? {} : this.#previousContent({ ...message, content: prev_content })),
        ...(prev_topic === null ? {} : { prev_topic, topic }),
      })),
    );
  }

  #previousContent(message: Text) {
    const source = this.source(message);
    return {
      prev_content: source,
      // Only the history shows it. The import does not render it.
      prev_rendered_content: `<p>${escapeHtml(source).replaceAll('\n', '<br>\n')}</p>`,
      prev_rendered_content_version: 1,
    };
  }
}

const pathAtZulip = ({ path }: Upload): string => `/user_uploads/${path}`;

/** Square brackets would end the label of a link. */
const labelOf = (name: string): string => name.replaceAll('[', '（').replaceAll(']', '）');

/**
 * Mentions by name alone, because Zulip's import gives users new ids without changing texts. Of several users with one name,
 * Zulip mentions one of them.
 */
function namesIn(reader: Reader): NameMention {
  const byId = new Map(users.all(reader).map(({ id, full_name }) => [id, full_name]));
  return ({ name, id }) => {
    if (id !== undefined) return byId.get(id) ?? name;
    return usersNamed(reader, { name, id }, () => true)[0]?.full_name ?? name;
  };
}
