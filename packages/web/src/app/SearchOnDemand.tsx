import { useEffect, useState } from 'react';
import { isForInputMethod } from '../components/inputMethod.ts';
import { onDemand, usePart } from '../components/onDemand.ts';
import { useToast } from '../components/primitives/Toasts.tsx';
import type { SearchSlot } from '../features/chat/stream/streamSlots.ts';
import type { SearchProps } from '../features/search/Search.tsx';
import { useWords } from '../i18n/LocaleProvider.tsx';

export const searchPart = onDemand(() => import('../features/search/Search.tsx'));

export interface SearchOpening {
  /** A panel that was closed keeps what was found. */
  readonly state: 'never' | 'open' | 'closed';
  readonly close: () => void;
  readonly giveUp: () => void;
  readonly slot: SearchSlot;
}

/** By the button of a stream, by Ctrl or Command with K, and by a slash that nobody is writing. */
export function useSearchOpening(): SearchOpening {
  const [state, setState] = useState<SearchOpening['state']>('never');
  const [{ slot, ...ways }] = useState(() => ({
    close: () => setState('closed'),
    giveUp: () => setState('never'),
    slot: { preload: searchPart.preload, open: () => setState('open') },
  }));

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForInputMethod(event) || !isShortcut(event)) return;
      event.preventDefault();
      slot.open();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [slot]);

  return { state, slot, ...ways };
}

const dialogs = 'dialog[open], [role=dialog]';
const fields = 'input, textarea, select, [contenteditable]';

/** What a dialog is asked is answered there first. */
function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey || document.querySelector(dialogs)) return false;
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !shiftKey;
  const isWriting = target instanceof Element && target.closest(fields) !== null;
  return key === '/' && !ctrlKey && !metaKey && !isWriting;
}

type FoundProps = Omit<SearchProps, 'open' | 'onClose'>;

/** The search is fetched after the first screen; where that fails, again when it is opened, and nothing else breaks. */
export function SearchOnDemand({ opening, ...props }: { readonly opening: SearchOpening } & FoundProps) {
  return opening.state !== 'never' && <Fetched opening={opening} {...props} />;
}

function Fetched({ opening: { state, close, giveUp }, ...props }: { readonly opening: SearchOpening } & FoundProps) {
  const words = useWords().searchOpening;
  const toast = useToast();
  const part = usePart(searchPart, () => {
    toast({ text: words.failed, tone: 'alert' });
    giveUp();
  });
  return part && <part.Search {...props} open={state === 'open'} onClose={close} />;
}
