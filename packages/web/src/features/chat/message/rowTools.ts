/** The row whose tools are shown: the one under the mouse, else the focused one. And the keys of the message list. */
import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { articleOf, rowOf, type ToolRow } from './toolRow.ts';

/** On a telephone, `:hover` matches the last touched element. */
const hasMouse = matchMedia('(hover: hover)');

function rowUnderMouse(): ToolRow | undefined {
  return hasMouse.matches ? rowOf(document.querySelector('article:hover')) : undefined;
}

/** @param pinned Whether a tool is open. The tools then stay in their row. */
export function useToolRow(scroller: RefObject<HTMLElement | null>, pinned: boolean): ToolRow | undefined {
  // The tools load after the messages, so a row may already have the pointer or the focus.
  const [row, setRow] = useState(() => rowOf(document.activeElement) ?? rowUnderMouse());
  const want = useEffectEvent((wanted: ToolRow | undefined) => {
    if (!pinned && wanted?.slot !== row?.slot) setRow(wanted);
  });

  // A layout effect, so no pointer event is missed after the initial state.
  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const focused = () => (list.contains(document.activeElement) ? rowOf(document.activeElement) : undefined);
    list.addEventListener('pointerover', (event) => event.pointerType !== 'touch' && want(rowOf(event.target) ?? focused()), {
      signal,
    });
    list.addEventListener('pointerleave', () => want(focused()), { signal });
    list.addEventListener('focusin', ({ target }) => want(rowOf(target)), { signal });
    list.addEventListener('focusout', ({ relatedTarget }) => want(rowOf(relatedTarget)), { signal });
    // A message that was just sent gets its tools when the server confirms it.
    const becameMessage = new MutationObserver((changes) => {
      const looked = [rowUnderMouse(), focused()].find((each) =>
        changes.some(({ target }) => target.contains(each?.slot ?? null)),
      );
      if (looked) want(looked);
    });
    becameMessage.observe(list, { attributeFilter: ['data-key'], subtree: true });
    return () => {
      becameMessage.disconnect();
      stop.abort();
    };
  }, [scroller]);

  return row;
}

/**
 * Makes the messages one tab stop, which is the last focused message or the newest. Arrows move the focus. Enter and the context
 * menu key open the tools.
 */
export function useRowKeys(scroller: RefObject<HTMLElement | null>, onAsk: (messageId: number, at: DOMRect) => void): void {
  const ask = useEffectEvent(onAsk);

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const articles = () => [...list.querySelectorAll('article')];

    const makeStop = (article: HTMLElement | undefined) => {
      for (const each of articles()) if (each.tabIndex === 0) each.tabIndex = -1;
      if (article) article.tabIndex = 0;
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches('article')) makeStop(target);
    };
    // Rows mount and unmount. Without a focused row, the newest is the tab stop.
    const rowsChanged = new MutationObserver(() => {
      if (!list.contains(document.activeElement) || list === document.activeElement) makeStop(articles().at(-1));
    });
    rowsChanged.observe(list, { childList: true, subtree: true });
    makeStop(articles().at(-1));
    const onKey = (event: KeyboardEvent) => {
      if (isForInputMethod(event)) return;
      const article = articleOf(event.target);
      if (!article || event.target !== article || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
        const all = articles();
        const next = all[all.indexOf(article) + (event.key === 'ArrowUp' ? -1 : 1)];
        if (!next) return;
        event.preventDefault();
        next.focus({ preventScroll: true });
        next.scrollIntoView({ block: 'nearest' });
      } else if (event.key === 'Enter' || event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
        const row = rowOf(article);
        if (!row) return;
        event.preventDefault();
        ask(row.messageId, row.slot.getBoundingClientRect());
      }
    };
    list.addEventListener('focusin', onFocus, { signal });
    list.addEventListener('keydown', onKey, { signal });
    return () => {
      rowsChanged.disconnect();
      stop.abort();
    };
  }, [scroller]);
}
