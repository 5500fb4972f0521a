/** The row whose tools are shown: the one under the mouse, else the focused one. Also handles the keys of the list. */
import { useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { stepOf } from '../../../components/primitives/focus.ts';
import { sentMessageOf } from './longPress.ts';

interface ToolRow {
  readonly messageId: number;
  readonly slot: HTMLElement;
}

function articleOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest('article') : null;
}

/** The row of an event target. The list delegates events, because state per row would render rows as the pointer moves. */
function rowOf(target: EventTarget | null): ToolRow | undefined {
  const messageId = sentMessageOf(target);
  const slot = articleOf(target)?.querySelector<HTMLElement>('[data-tools]');
  return slot && messageId !== undefined ? { messageId, slot } : undefined;
}

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

  // A message that was just sent gets its tools when the server confirms it, which renders the list.
  useLayoutEffect(() => {
    if (row) return undefined;
    const frame = requestAnimationFrame(() =>
      want(rowUnderMouse() ?? (document.hasFocus() ? rowOf(document.activeElement) : undefined)),
    );
    return () => cancelAnimationFrame(frame);
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
    return () => stop.abort();
  }, [scroller]);

  return row;
}

/**
 * Makes the messages one tab stop: the last focused, or the newest. Up and down move between messages, left and right between
 * the controls of one. Enter and the menu key open the tools.
 */
export function useRowKeys(scroller: RefObject<HTMLElement | null>, onAsk: (messageId: number, slot: HTMLElement) => void): void {
  const ask = useEffectEvent(onAsk);

  // Rows mount and unmount with each render. Without a focused row, the newest is the tab stop.
  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return;
    const isRowFocused = list !== document.activeElement && list.contains(document.activeElement);
    if (!isRowFocused) makeStop(list, [...list.querySelectorAll('article')].at(-1));
  });

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const onKey = (event: KeyboardEvent) => {
      if (isForInputMethod(event)) return;
      const article = articleOf(event.target);
      if (!article || event.ctrlKey || event.altKey || event.metaKey || scrolls(event.target, event.key)) return;
      if (moveInRow(article, event)) return;
      const all = [...list.querySelectorAll('article')];
      const next = all[stepOf(event.key, all.indexOf(article), all.length, { ends: false }) ?? -1];
      if (next) {
        event.preventDefault();
        next.focus({ preventScroll: true });
        next.scrollIntoView({ block: 'nearest' });
      } else if (event.target !== article) {
        return;
      } else if (event.key === 'Enter' || event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
        const row = rowOf(article);
        if (!row) return;
        event.preventDefault();
        ask(row.messageId, row.slot);
      }
    };
    list.addEventListener('focusin', ({ target }) => target === articleOf(target) && makeStop(list, articleOf(target)), {
      signal,
    });
    list.addEventListener('keydown', onKey, { signal });
    takeFromTabOrder(list);
    const added = new MutationObserver(() => takeFromTabOrder(list));
    added.observe(list, { subtree: true, childList: true, attributeFilter: ['tabindex'] });
    return () => {
      added.disconnect();
      stop.abort();
    };
  }, [scroller]);
}

/** Code with long lines stays a tab stop, because browsers without scrolling by arrow keys need it (WCAG 2.1.1). */
const control = ':is(a[href], button, summary, [tabindex="0"]):not([tabindex="-1"], pre)';

/** A list of messages has hundreds of links and buttons, which Tab would have to pass on the way to the composer. */
function takeFromTabOrder(list: HTMLElement): void {
  for (const each of list.querySelectorAll<HTMLElement>(`article ${control}`)) {
    each.tabIndex = -1;
    each.dataset['inRow'] = '';
  }
}

/** @returns whether the key has moved the focus to a control of the row, or back to the row. */
function moveInRow(article: HTMLElement, event: KeyboardEvent): boolean {
  const all = [article, ...article.querySelectorAll<HTMLElement>('[data-in-row]')];
  const at = all.findIndex((each) => each === event.target);
  const next = all[stepOf(event.key, at, all.length, { axis: 'horizontal', ends: false }) ?? -1];
  if (!next) return false;
  event.preventDefault();
  next.focus();
  return true;
}

/** Whether the key scrolls a long line of code. */
function scrolls(target: EventTarget | null, key: string): boolean {
  const isCode = target instanceof HTMLElement && target.tagName === 'PRE';
  return isCode && /^Arrow(Left|Right)$/.test(key) && target.scrollWidth > target.clientWidth;
}

function makeStop(list: HTMLElement, article: HTMLElement | null | undefined): void {
  for (const each of list.querySelectorAll<HTMLElement>('article[tabindex="0"]')) each.tabIndex = -1;
  if (article) article.tabIndex = 0;
}
