export type Jump = 'Home' | 'End' | 'PageUp' | 'PageDown';

/** The scroll of a key; undefined with a modifier and inside controls that use the key. */
export function jumpOf(event: KeyboardEvent): Jump | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return undefined;
  if (event.target instanceof Element && event.target.closest('input, textarea, select, [role=menu]')) return undefined;
  const { key } = event;
  return key === 'Home' || key === 'End' || key === 'PageUp' || key === 'PageDown' ? key : undefined;
}
