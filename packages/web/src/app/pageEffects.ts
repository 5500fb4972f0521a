import { useEffect } from 'react';
import { useModel } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { selectConversation, selectTotalUnread } from '../model/conversations/selectors.ts';
import { selectHoldsUnstored } from '../model/outbox/selectors.ts';
import { selectCurrent } from '../model/timeline/state.ts';

/** Refuses files and links that are dropped outside the chat, because the browser would open them instead of the page. */
export function useDropGuard(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented) return;
      const { target, dataTransfer } = event;
      const files = dataTransfer?.types.includes('Files') ? dataTransfer : undefined;
      const intoField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
      if (files || !intoField) event.preventDefault();
      // The pointer shows that they are not taken.
      if (files) files.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

/** R4.8.2: asks before unsaved work is lost. Mounted only while there is some: `beforeunload` disables the back/forward cache. */
export function AskBeforeUnload() {
  const asks = useModel(selectHoldsUnstored);
  useEffect(() => {
    if (!asks) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [asks]);
  return null;
}

export function useTitle(isChatShown: boolean): void {
  const words = useWords();
  const unread = useModel(selectTotalUnread);
  const current = useModel(selectConversation, useModel(selectCurrent))?.name;
  const name = isChatShown ? current : undefined;

  useEffect(() => {
    const place = name === undefined ? words.productLatin : `${name} - ${words.productLatin}`;
    const show = () => {
      document.title = unread > 0 ? `${words.inParentheses(unread)} ${place}` : place;
    };
    // Setting the title takes a sixth of the processor time of a stream switch, so it follows the frame. Timers of a hidden page are late.
    if (document.hidden) return show();
    const timer = setTimeout(show);
    return () => clearTimeout(timer);
  }, [words, unread, name]);
}

/** Shrinks the page to the height above the screen keyboard, which Safari draws over the page instead of resizing it. */
export function useVisibleHeight(): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const page = document.documentElement;
    const fit = () => {
      // On a zoomed page the visible height says nothing about the keyboard.
      const covered = view.scale === 1 && view.height < page.clientHeight;
      if (covered) page.style.setProperty('--visible-height', `${view.height}px`);
      else page.style.removeProperty('--visible-height');
      // Safari has scrolled the page to show the field, which the smaller page shows without scrolling.
      if (covered) window.scrollTo(0, 0);
    };
    view.addEventListener('resize', fit);
    return () => view.removeEventListener('resize', fit);
  }, []);
}
