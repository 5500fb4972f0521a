import { useCallback, useState } from 'react';

/**
 * State that begins anew with each stream, for what stays on the screen when the stream changes: to take it down and put
 * it up again would take longer than to show the messages.
 */
export function useStreamState<Value>(streamId: number, begin: () => Value) {
  const [held, setHeld] = useState(() => ({ streamId, value: begin() }));
  const own = held.streamId === streamId ? held : { streamId, value: begin() };
  if (own !== held) setHeld(own);
  const set = useCallback((value: Value) => setHeld({ streamId, value }), [streamId]);
  return [own.value, set] as const;
}
