import type { Reader } from '../database/index.ts';
import type { Clients } from './clients.ts';
import type { ContentWriter } from './content.ts';
import { realmId, recipientOfConversation, recipientOfUser, rowInJson } from './format.ts';
import { pages, rowsOf } from './pages.ts';
import { type ExportedMessage, exported } from './store.ts';
import { UserMessages } from './userMessages.ts';

/** Zulip's own export writes as many messages to a file. */
const messagesPerFile = 1000;
const userMessagesPerFile = 100_000;

export interface MessageCounts {
  messages: number;
  userMessages: number;
  edits: number;
}

interface MessagesDependencies {
  readonly reader: Reader;
  readonly contents: ContentWriter;
  readonly clients: Clients;
  /** Of all users. */
  readonly roles: ReadonlyMap<number, number>;
}

type Conversation = ReturnType<typeof exported.conversations>[number];

/**
 * The contents of the files `messages-000001.json` and so on, conversation by conversation, so that only the members of one are in
 * memory. The key `sort_by_date` of realm.json tells the import to sort them.
 */
export function* messageFiles(dependencies: MessagesDependencies, counts: MessageCounts): Generator<string, void> {
  const { reader } = dependencies;
  let file = new MessageFile();
  for (const conversation of rowsOf((after, most) => exported.conversations(reader, after, most))) {
    for (const rows of messagesIn(dependencies, conversation, counts)) {
      file.add(rows);
      if (!file.isFull()) continue;
      yield file.text();
      file = new MessageFile();
    }
  }
  yield file.text();
}

interface Rows {
  readonly message: string;
  readonly userMessages: readonly string[];
}

class MessageFile {
  readonly #messages: string[] = [];
  readonly #userMessages: string[] = [];

  add({ message, userMessages }: Rows): void {
    this.#messages.push(message);
    for (const each of userMessages) this.#userMessages.push(each);
  }

  isFull(): boolean {
    return this.#messages.length >= messagesPerFile || this.#userMessages.length >= userMessagesPerFile;
  }

  text(): string {
    const [messages, userMessages] = [this.#messages.join(',\n'), this.#userMessages.join(',\n')];
    return `{"zerver_message":[\n${messages}\n],\n"zerver_usermessage":[\n${userMessages}\n]}\n`;
  }
}

function* messagesIn(
  { reader, contents, clients, roles }: MessagesDependencies,
  conversation: Conversation,
  counts: MessageCounts,
): Generator<Rows, void> {
  let userMessages: UserMessages | undefined;
  const recipientOf = recipients(conversation);
  for (const page of pages((after, most) => exported.messages(reader, conversation.id, after, most))) {
    userMessages ??= new UserMessages(reader, conversation, roles);
    const ids = page.map(({ id }) => id);
    const flags = Map.groupBy(exported.flags(reader, ids), ({ message_id }) => message_id);
    const edits = Map.groupBy(exported.edits(reader, ids), ({ message_id }) => message_id);
    for (const message of page) {
      const own = edits.get(message.id) ?? [];
      const bits = new Map(flags.get(message.id)?.map((flag) => [flag.user_id, flag.bits]));
      const written: string[] = [];
      for (const { userId, mask } of userMessages.of(message, bits)) {
        counts.userMessages += 1;
        written.push(`{"id":${counts.userMessages},"user_profile":${userId},"message":${message.id},"flags_mask":${mask}}`);
      }
      counts.messages += 1;
      counts.edits += own.length;
      yield {
        message: rowInJson({
          id: message.id,
          realm: realmId,
          sender: message.sender_id,
          recipient: recipientOf(message),
          subject: conversation.kind === 'direct' ? '' : message.topic,
          date_sent: message.timestamp,
          sending_client: clients.idOf(message.client),
          ...contents.columns(message),
          last_edit_time: own[0]?.timestamp ?? message.last_edit_timestamp ?? message.last_moved_timestamp,
          edit_history: contents.editHistory(message, own),
        }),
        userMessages: written,
      };
    }
  }
}

/** Zulip has no conversation of two users: the recipient of their messages is the other one. */
function recipients({ id, participants }: Conversation): (message: Pick<ExportedMessage, 'sender_id'>) => number {
  const users = participants === null ? [] : participantsOf(participants);
  if (participants === null || users.length > 2) return () => recipientOfConversation(id);
  return ({ sender_id: sender }) => recipientOfUser(users.find((user) => user !== sender) ?? sender);
}

export const participantsOf = (participants: string): number[] => participants.split(',').map(Number);
