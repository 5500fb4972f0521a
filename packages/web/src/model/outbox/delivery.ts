import { getMessages, sendMessage } from '@engawa/client';
import { ownClient } from '@engawa/markup';
import { addressedTo, narrowTo } from '../streams/conversation.ts';
import { recognisesRepeats, type OutboxDependencies } from './environment.ts';
import { contentOf, mayBe, type Outgoing } from './outgoing.ts';

/** Seconds. A server recognises a repeated message for this time; ours does for one day longer. */
const recognisedSeconds = 6 * 86_400;
/** Zulip stores a member's own message as read if the name of its client has `desktop app`. It reads no browser's User-Agent. */
const clientName = `${ownClient} desktop app`;
/** The most own messages that are examined after the first attempt of a send. */
const mostSince = 100;
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
      client: clientName,
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
  { connection, store, stop }: OutboxDependencies,
  outgoing: Outgoing,
): Promise<number | undefined> {
  const { memberId, sentAs } = store.state();
  if (memberId === undefined) return undefined;
  const { messages } = await getMessages(
    connection,
    {
      anchor: String(outgoing.afterId),
      num_before: 0,
      num_after: mostSince,
      apply_markdown: false,
      client_gravatar: false,
      narrow: [narrowTo(store.state(), outgoing.conversation), { operator: 'sender', operand: memberId }],
    },
    { signal: stop },
  );
  // A message with the same text that was sent from this page before is not the one.
  const isOther = (id: number) => (sentAs.get(id) ?? outgoing.localKey) !== outgoing.localKey;
  return messages.find((each) => each.sender_id === memberId && mayBe(outgoing, each) && !isOther(each.id))?.id;
}
