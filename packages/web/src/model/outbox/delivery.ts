import { getMessages, sendMessage } from '@engawa/client';
import { ownClient } from '@engawa/markup';
import { initialMessages } from '../constants.ts';
import { addressedTo, narrowTo } from '../streams/conversation.ts';
import { recognisesRepeats, type OutboxDependencies } from './environment.ts';
import { contentOf, mayBe, type Outgoing } from './outgoing.ts';

/** Seconds. A server recognises a repeated message for this time; ours does for one day longer. */
const recognisedSeconds = 6 * 86_400;
/** Seconds that a send usually takes. After a longer wait this tab may have missed the event of the message. */
const usualSeconds = 5;

/** @returns the message's id. @throws CallError. */
export async function createMessage(
  { connection, store, session, environment, stop }: OutboxDependencies,
  outgoing: Outgoing,
): Promise<number> {
  const { localKey, conversation, timestamp } = outgoing;
  const { cursor } = store.state();
  const hasWaited = environment.clock.now() / 1000 - timestamp > usualSeconds;
  const { id } = await sendMessage(
    connection,
    {
      ...addressedTo(store.state(), conversation, hasWaited),
      content: contentOf(outgoing),
      local_id: localKey,
      client: ownClient,
      ...(cursor ? { queue_id: cursor.queueId } : {}),
      ...(recognisesRepeats(session) ? { client_message_id: localKey } : {}),
    },
    { signal: stop },
  );
  return id;
}

/** Whether an earlier attempt may have created the message and the server would not recognise a repeat. */
export function mayBeRepeat({ session, environment }: OutboxDependencies, { afterId, timestamp }: Outgoing): boolean {
  const isRecognised = recognisesRepeats(session) && environment.clock.now() / 1000 - timestamp < recognisedSeconds;
  return afterId !== undefined && !isRecognised;
}

/** The id of the message that an earlier attempt has created, if it did. */
export async function findEarlier(
  { connection, store, session, stop }: OutboxDependencies,
  outgoing: Outgoing,
): Promise<number | undefined> {
  const { memberId } = store.state();
  const { messages } = await getMessages(
    connection,
    {
      anchor: 'newest',
      num_before: initialMessages,
      num_after: 0,
      apply_markdown: false,
      client_gravatar: false,
      narrow: [narrowTo(store.state(), outgoing.conversation), { operator: 'sender', operand: session.member?.email ?? '' }],
    },
    { signal: stop },
  );
  return messages.find((message) => message.sender_id === memberId && mayBe(outgoing, message))?.id;
}
