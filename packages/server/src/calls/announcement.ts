import { ChatError } from '@engawa/chat-server/parts';
import { ApiError } from '@engawa/client';
import type { Asker, Conversations } from '../chat/backend.ts';
import { refused } from '../http/errors.ts';
import type { Call } from './call.ts';
import type { OngoingCalls } from './ongoing.ts';
import type { CallRecords } from './records.ts';

/** The texts of the messages, for clients that do not know calls. */
export const announcements = { audio: '音声通話を開始しました。', video: 'ビデオ通話を開始しました。' } as const;

interface AnnouncementDependencies {
  readonly conversations: Pick<Conversations, 'announce'>;
  readonly records: CallRecords;
  readonly ongoing: OngoingCalls;
}

/** Stores the call and sends its message. @throws RefusedError 404 where the caller may not write; the call is then removed. */
export async function announce(
  caller: Asker,
  call: Call,
  { conversations, records, ongoing }: AnnouncementDependencies,
): Promise<void> {
  const { id, kind, conversation } = call;
  try {
    await records.start(call);
    call.messageId = await conversations.announce(caller, conversation, { id, kind }, announcements[kind]);
  } catch (error) {
    ongoing.remove(call);
    records.remove(id);
    // The chat server refuses users whom the caller does not see like missing ones.
    const { code } = error instanceof ChatError || error instanceof ApiError ? error : { code: undefined };
    throw code === 'BAD_REQUEST' || code === 'STREAM_DOES_NOT_EXIST' ? refused.noSuchConversation() : error;
  }
  records.setMessage(id, call.messageId);
}
