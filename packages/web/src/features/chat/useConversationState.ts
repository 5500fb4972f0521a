import { useCallback, useState } from 'react';
import type { ConversationKey } from '../../model/streams/conversation.ts';

/**
 * State that begins anew with each conversation, for what stays on the screen when another one is opened: to take it down and put
 * it up again would take longer than to show the messages.
 */
export function useConversationState<Value>(conversation: ConversationKey, begin: () => Value) {
  const [held, setHeld] = useState(() => ({ conversation, value: begin() }));
  const own = held.conversation === conversation ? held : { conversation, value: begin() };
  if (own !== held) setHeld(own);
  const set = useCallback((value: Value) => setHeld({ conversation, value }), [conversation]);
  return [own.value, set] as const;
}
