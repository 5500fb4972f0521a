import { useState } from 'react';
import { lazyComponent } from '../components/lazyComponent.tsx';
import type { SearchSlot } from '../features/chat/stream/streamTool.ts';
import type { SearchProps } from '../features/search/Search.tsx';
import { isInField, useShortcut } from './shortcut.ts';

export const Search = lazyComponent(
  async () => (await import('../features/search/Search.tsx')).Search,
  (words) => words.searchFailed,
);

export interface SearchOpening {
  /** `closed` keeps the results of the last search, `unmounted` does not. */
  readonly state: 'unmounted' | 'open' | 'closed';
  readonly close: () => void;
  readonly unmount: () => void;
  readonly slot: SearchSlot;
}

export function useSearchOpening(): SearchOpening {
  const [state, setState] = useState<SearchOpening['state']>('unmounted');
  const [actions] = useState(() => ({
    close: () => setState('closed'),
    unmount: () => setState('unmounted'),
    slot: { preload: Search.preload, open: () => setState('open') },
  }));
  useShortcut(isSearchShortcut, actions.slot.open);
  return { state, ...actions };
}

function isSearchShortcut(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !shiftKey;
  return key === '/' && !ctrlKey && !metaKey && !isInField(event);
}

type SearchOpenerProps = { readonly opening: SearchOpening } & Omit<SearchProps, 'open' | 'onClose'>;

export function SearchOpener({ opening: { state, close, unmount }, ...props }: SearchOpenerProps) {
  return state !== 'unmounted' && <Search {...props} open={state === 'open'} onClose={close} onLoadFailure={unmount} />;
}
