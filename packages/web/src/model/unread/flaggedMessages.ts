import { addAlertWords, getMessages, removeAlertWords } from '@engawa/client';
import { dialectOf, type Dialect } from '@engawa/markup';
import { parseFileMessage, type Message } from '@engawa/protocol';
import { conversationOf, nameOf, type ConversationKey } from '../streams/conversation.ts';
import { alertWordsChanged } from './changes.ts';
import type { ModelContext } from '../context.ts';
import type { Failure } from '../connection/failure.ts';
import type { UnreadState } from './state.ts';

/** Messages that mention the member, contain an alert word, or have the member's star. */
export type Flag = 'mentioned' | 'alerted' | 'starred';

export interface FoundMessage {
  readonly messageId: number;
  readonly conversation: ConversationKey;
  readonly conversationName: string;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly avatarUrl: string | undefined;
  readonly content: string;
  readonly dialect: Dialect;
  readonly timestamp: number;
}

export interface FoundPage {
  readonly messages: readonly FoundMessage[];
  readonly isAll: boolean;
}

const foundAtOnce = 30;

export interface FlaggedMessages {
  /** Messages with the flag, newest first, optionally older than `before`. Only the starred ones include messages by the member. */
  loadFlagged(flag: Flag, before: number | undefined): Promise<FoundPage | Failure>;
  addAlertWord(word: string): Promise<Failure | undefined>;
  removeAlertWord(word: string): Promise<Failure | undefined>;
}

export function createFlaggedMessages({ connection, store, attempt, stop }: ModelContext<UnreadState>): FlaggedMessages {
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
        dialect: dialectOf(message.client),
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
    loadFlagged: (flag, before) =>
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
    addAlertWord: (word) => change(addAlertWords, word),
    removeAlertWord: (word) => change(removeAlertWords, word),
  };
}
