export type Jump = 'Home' | 'End' | 'PageUp' | 'PageDown';

/** Which way a key takes the list: not with another key, and not where something is written or chosen. */
export function jumpOf(event: KeyboardEvent): Jump | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return undefined;
  if (event.target instanceof Element && event.target.closest('input, textarea, select, [role=menu]')) return undefined;
  const { key } = event;
  return key === 'Home' || key === 'End' || key === 'PageUp' || key === 'PageDown' ? key : undefined;
}
