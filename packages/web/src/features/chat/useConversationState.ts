import { useCallback, useState } from 'react';
import type { ConversationKey } from '../../model/streams/conversation.ts';

/** State that resets with each conversation: remounting a component would take longer than rendering the messages. */
export function useConversationState<Value>(conversation: ConversationKey, begin: () => Value) {
  const [held, setHeld] = useState(() => ({ conversation, value: begin() }));
  const own = held.conversation === conversation ? held : { conversation, value: begin() };
  if (own !== held) setHeld(own);
  // The same value renders nothing: the field that a switch removes closes its list of mentions as it loses the focus.
  const set = useCallback(
    (value: Value) =>
      setHeld((before) =>
        before.conversation === conversation && Object.is(before.value, value) ? before : { conversation, value },
      ),
    [conversation],
  );
  return [own.value, set] as const;
}
