import { useCallback, useState } from 'react';
import type { ConversationKey } from '../../model/streams/conversation.ts';

/** State that resets with each conversation: remounting a component would take longer than rendering the messages. */
export function useConversationState<Value>(conversation: ConversationKey, begin: () => Value) {
  const [held, setHeld] = useState(() => ({ conversation, value: begin() }));
  const own = held.conversation === conversation ? held : { conversation, value: begin() };
  if (own !== held) setHeld(own);
  // An equal value renders nothing: a field that loses the focus always closes its list of mentions, also if none is open. A late
  // value of a conversation that was left is dropped.
  const set = useCallback(
    (value: Value) =>
      setHeld((before) =>
        before.conversation !== conversation || Object.is(before.value, value) ? before : { conversation, value },
      ),
    [conversation],
  );
  return [own.value, set] as const;
}
