/** What is gathered for the member: the lists of it, and the alert words that they want to hear of. */
import { addAlertWords, getMessages, removeAlertWords, type Connection } from '@engawa/client';
import { parseFileMessage, type Message } from '@engawa/protocol';
import { conversationOf, nameOf, type ConversationKey } from '../streams/conversation.ts';
import { alertWordsChanged } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { UnreadState } from './state.ts';

/** Why messages are gathered for a member: they call them, hold one of their alert words, or bear their star. */
export type Flag = 'mentioned' | 'alerted' | 'starred';

/** A message of whichever conversation, as a list of them shows it. */
export interface FoundMessage {
  readonly messageId: number;
  readonly conversation: ConversationKey;
  readonly conversationName: string;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly avatarUrl: string | undefined;
  /** The text, or the file's name. */
  readonly content: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

export interface FoundPage {
  /** The newest first. */
  readonly messages: readonly FoundMessage[];
  /** There are no older ones. */
  readonly isAll: boolean;
}

const foundAtOnce = 30;

export interface Flags {
  load(flag: Flag, before: number | undefined): Promise<FoundPage | Failure>;
  addWord(word: string): Promise<Failure | undefined>;
  removeWord(word: string): Promise<Failure | undefined>;
}

export interface FlagsOptions {
  readonly connection: Connection;
  readonly store: Store<UnreadState>;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createFlags({ connection, store, judge, stop }: FlagsOptions): Flags {
  const attempt = async <Done>(call: () => Promise<Done>): Promise<Done | Failure> => {
    try {
      return await call();
    } catch (error) {
      // Nobody waits for the answer any more.
      if (stop.aborted) return { kind: 'signed-out' };
      return judge(error);
    }
  };

  function found(message: Message): FoundMessage[] {
    const { users } = store.state();
    const conversation = conversationOf(message);
    const { id: messageId, sender_id: senderId, content, timestamp } = message;
    if (conversation === undefined) return [];
    const sender = users.get(senderId);
    return [
      {
        messageId,
        conversation,
        conversationName: nameOf(store.state(), conversation),
        senderId,
        senderFullName: sender?.full_name ?? message.sender_full_name,
        avatarUrl: (sender ?? message).avatar_url ?? undefined,
        content: parseFileMessage(content)?.name ?? content,
        timestamp,
      },
    ];
  }

  async function change(call: typeof addAlertWords, word: string): Promise<Failure | undefined> {
    const answer = await attempt(() => call(connection, { alert_words: [word] }, { signal: stop }));
    if ('kind' in answer) return answer;
    store.update((state) => alertWordsChanged(state, answer.alert_words));
    return undefined;
  }

  return {
    load: (flag, before) =>
      attempt(async () => {
        const { memberId } = store.state();
        const others = { operator: 'sender', operand: memberId ?? 0, negated: true };
        const { messages, found_oldest: isAll } = await getMessages(
          connection,
          {
            anchor: before === undefined ? 'newest' : String(before),
            include_anchor: before === undefined,
            num_before: foundAtOnce,
            num_after: 0,
            apply_markdown: false,
            client_gravatar: false,
            narrow: [{ operator: 'is', operand: flag }, ...(flag === 'starred' ? [] : [others])],
          },
          { signal: stop },
        );
        return { messages: messages.toReversed().flatMap(found), isAll };
      }),
    addWord: (word) => change(addAlertWords, word),
    removeWord: (word) => change(removeAlertWords, word),
  };
}
