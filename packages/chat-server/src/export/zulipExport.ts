import { Database } from '../database/index.ts';
import { messagesOfFile } from '../messages/fileLinks.ts';
import { migrations } from '../migrations.ts';
import { realms } from '../realm/store.ts';
import { settings } from '../settings/store.ts';
import { isPublic } from '../conversations/access.ts';
import { streams } from '../conversations/streams.ts';
import { clientsIn } from './clients.ts';
import { ContentWriter, type UploadOf } from './content.ts';
import { tablesInJson } from './format.ts';
import { type MessageCounts, messageFiles } from './messages.ts';
import { usersIn } from './pages.ts';
import { type RowCounts, realmTables } from './realm.ts';
import { type ExportedMessage, exported } from './store.ts';
import type { Profiles } from './users.ts';

export { listInJson, realmId, tablesInJson } from './format.ts';
export type { Upload, UploadOf } from './content.ts';
export type { Profiles } from './users.ts';
export { holdsOrganisation } from '../organisation/inspect.ts';

type Left =
  | 'deletedMessages'
  | 'putAway'
  | 'drafts'
  | 'customEmoji'
  | 'customEmojiReactions'
  | 'userGroups'
  | 'mutedUsers'
  | 'topicChoices'
  | 'scheduledMessages'
  | 'botStorage'
  | 'profileFields'
  | 'statuses';

/** Numbers of the export. `rows`: by table of realm.json. `left`: data that the export leaves behind. */
export interface ExportCounts extends Readonly<MessageCounts> {
  readonly rows: ReadonlyMap<string, number>;
  readonly left: Readonly<Record<Left, number>>;
}

export interface FileMessageRow extends Pick<ExportedMessage, 'id' | 'sender_id' | 'content'> {
  /** Every member of the organisation may open the file. */
  readonly isPublic: boolean;
}

/** Reads an organisation from a copy of chat.db, which no server uses, and writes it as Zulip's import reads it. */
export interface ZulipExport {
  readonly created: number;
  /** Email addresses at which Zulip's import would stop. */
  refusedAddresses(): string[];
  /** The pictures that everyone may see. */
  pictures(): Iterable<{ readonly userId: number; readonly email: string; readonly url: string }>;
  /** The messages of a sender that may contain the file. The caller must parse them to be sure. */
  messagesOfFile(senderId: number, storedName: string): FileMessageRow[];
  /** realm.json, in parts. It is the same at each call. */
  realm(hasPicture: (userId: number) => boolean, profiles: Profiles): Iterable<string>;
  /** messages-000001.json and the following files. */
  messageFiles(uploadOf: UploadOf): Iterable<string>;
  /** After all of these were read. */
  counts(): ExportCounts;
  close(): void;
}

/** @throws NewerDatabaseError */
export function openZulipExport(file: string): ZulipExport {
  const database = new Database(file, { migrations });
  const { reader } = database;
  const clients = clientsIn(reader);
  const rows: RowCounts = new Map();
  const messageCounts: MessageCounts = { messages: 0, userMessages: 0, edits: 0 };
  return {
    created: realms.get(reader)?.created ?? 0,
    refusedAddresses: () => [...usersIn(reader)].map(({ email }) => email).filter((email) => !isAddressInZulip(email)),
    *pictures() {
      const audiences = settings.audiences(reader, 'photo_audience');
      for (const { id, email, avatar_url: url } of usersIn(reader)) {
        const audience = audiences.get(id)?.audience ?? 'everyone';
        if (url !== null && audience === 'everyone') yield { userId: id, email, url };
      }
    },
    messagesOfFile: (senderId, storedName) =>
      messagesOfFile(reader, senderId, storedName, Number.MAX_SAFE_INTEGER).map(
        ({ conversation_id: conversationId, id, sender_id, content }) => {
          return { id, sender_id, content, isPublic: isPublic(streams.byId(reader, conversationId)) };
        },
      ),
    realm: (hasPicture, profiles) =>
      tablesInJson(realmTables({ reader, clients, hasPicture, profiles }, rows), { sort_by_date: true }),
    messageFiles(uploadOf) {
      const roles = new Map([...usersIn(reader)].map(({ id, role }) => [id, role]));
      const contents = new ContentWriter(reader, uploadOf);
      return messageFiles({ reader, contents, clients, roles }, messageCounts);
    },
    counts: () => ({
      ...messageCounts,
      rows,
      left: {
        deletedMessages: exported.deletedMessages(reader) ?? 0,
        putAway: exported.putAway(reader) ?? 0,
        drafts: exported.drafts(reader) ?? 0,
        customEmoji: exported.customEmoji(reader) ?? 0,
        customEmojiReactions: exported.customEmojiReactions(reader) ?? 0,
        userGroups: exported.userGroups(reader) ?? 0,
        mutedUsers: exported.mutedUsers(reader) ?? 0,
        topicChoices: exported.topicChoices(reader) ?? 0,
        scheduledMessages: exported.scheduledMessages(reader) ?? 0,
        botStorage: exported.botStorage(reader) ?? 0,
        profileFields: exported.profileFields(reader) ?? 0,
        statuses: (exported.allStatuses(reader) ?? 0) - (rows.get('zerver_userstatus') ?? 0),
      },
    }),
    close: () => database.close(),
  };
}

/** The rule of Django's `validate_email`, which is stricter than that of browsers. */
const addressInZulip =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z\d-]{2,63}(?<!-))|localhost)$/i;
const mostAddressCharacters = 254;

const isAddressInZulip = (email: string): boolean => email.length <= mostAddressCharacters && addressInZulip.test(email);
