/**
 * A virtual list of messages, measured from its end as the browser measures a reversed column. Older messages never move newer
 * ones, neither when they arrive nor when their height becomes known, and at its end the list stays there by itself. If a newer
 * row changes while the reader has scrolled up, the list scrolls by the difference, so the visible rows keep their place (R4.10).
 */
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { scrollAfterLoad, scrollAfterMessage } from '../../../model/constants.ts';
import { createSignal } from '../../../model/signal.ts';
import type { MessageKey } from '../../../model/timeline/message.ts';
import { fitParagraphs } from '../message/paragraphWidth.ts';
import { createRowHeights, indexOf, type RowHeights } from './rowHeights.ts';
import { hasSent, type Range } from './scrolling.ts';
import { createScrollWindow, type ListElements, type ScrollWindow } from './scrollWindow.ts';

/** Pixels beyond the window in which rows are mounted: few at the end, where a stream opens; more for scrolling. */
const readyAtEnd = 200;
const readyAbove = 1000;
/** Pixels above a message at the top, which the floating date may cover. */
const readBefore = 56;
/** Rows that are mounted before any height is known. */
const firstRows = 10;

/** Position of a message in the window: the middle, the top, or pixels below the upper edge. */
export type Where = 'middle' | 'top' | number;

export type LongList = ReturnType<typeof createLongList>;

export function createLongList(keys: readonly MessageKey[], at?: MessageKey, where: Where = 'middle') {
  const heights = createRowHeights();
  const view = createScrollWindow(heights, at === undefined);
  const mounted = createMountedRows(heights, view, at === undefined ? lastRows(keys) : rowsAround(keys, at));
  const changed = createSignal();
  let elements: ListElements | undefined;
  let wanted = mounted.range();
  let destination = at === undefined ? undefined : { key: at, where };
  let hadFocus = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  function settle(next = mounted.range()): void {
    if (elements && mounted.settle(elements.rows, next, destination)) destination = undefined;
  }

  function look(): void {
    const next = elements && !destination && rowsToMount(heights, mounted.range(), view);
    if (next) want(next);
    changed.emit();
  }

  function want(next: Range): void {
    const { from, to } = mounted.range();
    if (next.from === from && next.to === to) return;
    wanted = next;
    hadFocus = elements?.rows.contains(document.activeElement) ?? false;
  }

  function toEnd(): void {
    destination = undefined;
    view.toEnd();
    look();
  }

  function toMessage(key: MessageKey, place: Where): void {
    if (!heights.keys.includes(key)) return;
    destination = { key, where: place };
    view.leaveEnd();
    const around = rowsAround(heights.keys, key);
    const { from, to } = mounted.range();
    if (around.from >= from && around.to <= to && elements) settle();
    else want(around);
    look();
  }

  return {
    /** The rows to mount, with the keys to which their indices refer. */
    wanted: () => wanted,
    atEnd: view.isAtEnd,
    subscribe: changed.subscribe,
    toEnd,
    toMessage,

    attach(given: ListElements) {
      elements = given;
      view.attach(given);
      const stop = observe(given, { resized: settle, moved: look, scrolled: view.follow, toEnd, jump: view.jump });
      return () => {
        clearTimeout(again);
        stop();
        view.attach(undefined);
        elements = undefined;
      };
    },

    /** Reports the rows that are in the document. `endIsNewest`: whether the last row is the newest message. */
    mounted(next: Range, endIsNewest: boolean) {
      if (!elements) return;
      view.stick(endIsNewest, hasSent(mounted.range().keys, next.keys));
      if (next.keys !== heights.keys) {
        clearTimeout(again);
        // Scrolls to the end again, because rows may get their final height later.
        const delay = heights.keys.length === 0 ? scrollAfterLoad : scrollAfterMessage;
        again = setTimeout(() => view.isAtEnd() && view.toEnd(), delay);
      }
      settle(next);
      // The list takes the focus of an unmounted row, so that keys still scroll.
      if (hadFocus && !elements.rows.contains(document.activeElement)) elements.scroller.focus({ preventScroll: true });
      hadFocus = false;
      look();
    },

    /** The first visible message and its distance from the upper edge in pixels; undefined at the end. */
    place: () => (view.isAtEnd() || destination || view.height() === 0 || !elements ? undefined : mounted.firstSeen()),
    /** The message at a distance in pixels below the upper edge. */
    messageAt: (top: number) => heights.keys[heights.indexAt(view.distance() + view.height() - top)],
    /** Messages of which at least half is visible, or that fill half of the window, oldest first. */
    shown: () => (view.height() === 0 || destination ? [] : rowsSeen(heights, mounted.range(), view)),
    /** Pixels from the start of the list to the upper edge of the window. */
    above: () => heights.distanceOf(0) - view.distance() - view.height(),
    /** Pixels from the lower edge of the window to the end of the list. */
    below: view.distance,
  };
}

function createMountedRows(heights: RowHeights, view: ScrollWindow, first: Range) {
  let range = first;

  /** The first message that starts inside the window, or the one that fills it, and its distance from the upper edge. */
  function firstSeen() {
    const lower = view.distanceBefore();
    const upper = lower + view.height();
    const covering = heights.indexAt(upper);
    const starting = heights.distanceOf(covering + 1) > lower ? covering + 1 : covering;
    // Rows that are not mounted have no known position.
    const index = Math.max(starting, range.from);
    const key = index < range.to && heights.distanceOf(index) > lower ? heights.keys[index] : undefined;
    return key === undefined ? undefined : { key, top: upper - heights.distanceOf(index) };
  }

  return {
    range: () => range,
    firstSeen,

    /**
     * Measures and positions the rows after a change. The visible rows keep their place on the screen, unless the window moves
     * to the destination.
     * @returns whether it did.
     */
    settle(
      rows: HTMLElement,
      next: Range,
      destination: { readonly key: MessageKey; readonly where: Where } | undefined,
    ): boolean {
      const held = view.isAtEnd() ? undefined : firstSeen();
      const before = view.top();
      const isNew = heights.keys.length === 0;
      if (next.keys.length < heights.keys.length) view.shorten();
      heights.become(next.keys);
      range = next;
      [...rows.children].forEach((row, index) => heights.measure(range.from + index, row.getBoundingClientRect().height));
      view.measure();
      // In a new list everything is read before the first write, so that the browser lays it out once.
      if (isNew) fitParagraphs();
      view.fitRows(() => range.from === 0);
      rows.style.bottom = `${heights.distanceOf(range.to)}px`;
      const index = destination ? heights.keys.indexOf(destination.key) : -1;
      const arrives = !view.isAtEnd() && destination !== undefined && index >= range.from && index < range.to;
      if (arrives) view.moveTo(lowerEdgeFor(heights, index, destination.where, view.height()));
      else if (held) {
        const upper = view.distance() + view.height();
        const top = view.top() + upper - heights.distanceOf(indexOf(heights.keys, held.key));
        view.moveBy(top - before - held.top);
      }
      // A new list is at its end without scrolling, which would lay it out again.
      else if (view.isAtEnd() && !isNew) view.toEnd();
      view.settled();
      return arrives;
    },
  };
}

function lowerEdgeFor(heights: RowHeights, index: number, where: Where, height: number): number {
  const upper = heights.distanceOf(index);
  const tall = upper - heights.distanceOf(index + 1);
  const inMiddle = Math.max((height - tall) / 2, 0);
  const above = where === 'middle' ? inMiddle : where === 'top' ? readBefore : where;
  return Math.max(upper + above - height, 0);
}

/** Other rows to mount if too few or too many are mounted outside the window. */
function rowsToMount(heights: RowHeights, { keys, from, to }: Range, view: ScrollWindow): Range | undefined {
  const ready = view.isAtEnd() ? readyAtEnd : readyAbove;
  const lower = view.distance();
  const upper = lower + view.height();
  const [top, bottom] = [heights.distanceOf(from), heights.distanceOf(to)];
  const runOut = (from > 0 && top < upper + ready / 2) || (to < keys.length && bottom > lower - ready / 2);
  const tooMany = top > upper + 2 * readyAbove || bottom < lower - 2 * readyAbove;
  if (!runOut && !tooMany) return undefined;
  return { keys: heights.keys, from: heights.indexAt(upper + ready), to: heights.indexAt(lower - ready) + 1 };
}

function rowsSeen(heights: RowHeights, range: Range, view: ScrollWindow): readonly MessageKey[] {
  const lower = view.distance();
  const upper = lower + view.height();
  const isSeen = (index: number) => {
    const [top, bottom] = [heights.distanceOf(index), heights.distanceOf(index + 1)];
    return Math.min(top, upper) - Math.max(bottom, lower) >= Math.min(top - bottom, view.height()) / 2;
  };
  // Rows that are not mounted are not visible.
  let from = Math.max(heights.indexAt(upper), range.from);
  let to = Math.min(heights.indexAt(lower) + 1, range.to);
  while (from < to && !isSeen(from)) from += 1;
  while (to > from && !isSeen(to - 1)) to -= 1;
  return heights.keys.slice(from, to);
}

function lastRows(keys: readonly MessageKey[]): Range {
  return { keys, from: Math.max(0, keys.length - firstRows), to: keys.length };
}

function rowsAround(keys: readonly MessageKey[], key: MessageKey): Range {
  const index = keys.indexOf(key);
  if (index < 0) return lastRows(keys);
  return { keys, from: Math.max(0, index - firstRows), to: Math.min(keys.length, index + firstRows + 1) };
}

interface ListEvents {
  resized(): void;
  scrolled(): void;
  moved(): void;
  toEnd(): void;
  jump(to: 'Home' | 'PageUp' | 'PageDown'): void;
}

function observe({ scroller, rows }: ListElements, { resized, scrolled, moved, toEnd, jump }: ListEvents): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const sizes = new ResizeObserver(() => {
    // A hidden list has no heights to measure.
    if (scroller.clientHeight === 0) return;
    resized();
    // Waits a frame, because mounting rows now would change the observed elements.
    requestAnimationFrame(moved);
  });
  sizes.observe(scroller);
  sizes.observe(rows);
  const onScroll = () => {
    scrolled();
    moved();
  };
  const onKey = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
    if (ctrlKey || altKey || metaKey || shiftKey) return;
    if (event.target instanceof Element && event.target.closest('input, textarea, select, [role=menu]')) return;
    if (key !== 'Home' && key !== 'End' && key !== 'PageUp' && key !== 'PageDown') return;
    event.preventDefault();
    if (key === 'End') toEnd();
    else jump(key);
  };
  scroller.addEventListener('scroll', onScroll, { passive: true, signal });
  scroller.addEventListener('keydown', onKey, { signal });
  return () => {
    sizes.disconnect();
    stop.abort();
  };
}
