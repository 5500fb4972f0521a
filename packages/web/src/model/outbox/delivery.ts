import { getMessages, sendMessage } from '@engawa/client';
import { ownClient } from '@engawa/markup';
import { initialMessages } from '../constants.ts';
import { addressedTo, narrowTo } from '../streams/conversation.ts';
import { recognisesRepeats, type OutboxDependencies } from './environment.ts';
import { contentOf, mayBe, type Outgoing } from './outgoing.ts';

/** Seconds for which a server recognises a repeated message. Ours does so for one day longer. */
const recognisedSeconds = 6 * 86_400;
/** Seconds in which a message is usually sent. A message that waited longer may have missed events. */
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

/** Whether the message may exist from an earlier attempt without the server recognising its repeat. */
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
