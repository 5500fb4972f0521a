import { useRef } from 'react';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useComposerWords } from '../../../i18n/composer.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';

interface Cleared {
  restore(): void;
  /** Whether the cleared text is back without the offer, by the browser's undo. */
  isBack(): boolean;
}

interface Offer extends Cleared {
  /** The offer that this one replaced while it was open. */
  readonly before: Offer | undefined;
  close(): void;
}

/** R4.7.2: the notice that offers to bring back a cleared draft. There is only one; the one it replaced returns after its undo. */
export function useUndoOffer() {
  const words = useComposerWords();
  const { undo } = useWords();
  const toast = useToast();
  const open = useRef<Offer>(undefined);

  const offer = (cleared: Cleared, before = open.current) => {
    open.current?.close();
    const run = () => {
      cleared.restore();
      if (before) offer(before, before.before);
    };
    const onClose = () => {
      if (open.current === offered) open.current = undefined;
    };
    const close = toast({ text: words.cleared, tone: 'note', action: { label: undo, run }, onClose });
    const offered: Offer = { ...cleared, before, close };
    open.current = offered;
  };

  return {
    offer,
    withdraw: () => open.current?.close(),
    withdrawIfBack() {
      if (open.current?.isBack()) open.current.close();
    },
  };
}
