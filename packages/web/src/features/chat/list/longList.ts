/**
 * A virtual list of messages, measured from its end as the browser measures a reversed column. Older messages never move newer
 * ones, neither when they arrive nor when their height becomes known, and at its end the list stays there by itself. If a newer
 * row changes while the reader has scrolled up, the list scrolls by the difference, so the visible rows keep their place (R4.10).
 */
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { scrollAfterLoad, scrollAfterMessage } from '../../../model/constants.ts';
import type { MessageKey } from '../../../model/timeline/message.ts';
import { createRowHeights, indexOf } from './rowHeights.ts';
import { hasSent, type Range } from './scrolling.ts';
import { jumpOf, type Jump } from './scrollKeys.ts';

/** Pixels. Closer than this counts as the end. */
const endTolerance = 24;
/** Pixels beyond the window in which rows are mounted: few at the end, where a stream opens; more for scrolling. */
const readyAtEnd = 200;
const readyAbove = 1000;
/** Part of the window that PageUp and PageDown scroll, as in browsers. */
const partOfPage = 0.875;
/** Pixels above a message at the top, which the floating date may cover. */
const readBefore = 56;
/** Rows that are mounted before any height is known. */
const firstRows = 10;

interface Elements {
  /** The scrolling reversed column. `content` is its only child. */
  readonly scroller: HTMLElement;
  /** Has the height of all rows. */
  readonly content: HTMLElement;
  /** Inside `content`, positioned by its lower edge, with one child per mounted row. */
  readonly rows: HTMLElement;
}

export interface LongList {
  /** The rows to mount, with the keys at the time of that decision. */
  wanted(): Range;
  /** Whether the reader is at the end or on the way to it. */
  atEnd(): boolean;
  /** Subscribes to scrolling and layout. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Connects the elements. Returns the disconnect function. */
  attach(elements: Elements): () => void;
  /**
   * Reports the rows that are in the document.
   * @param endIsNewest Whether the last row is the newest message. Otherwise the list does not stick to its end.
   */
  mounted(range: Range, endIsNewest: boolean): void;
  toEnd(): void;
  /** Scrolls to a message. */
  toMessage(key: MessageKey, where: Where): void;
  /** The first visible message and its distance from the upper edge in pixels; undefined at the end. */
  place(): Place | undefined;
  /** The message at a distance in pixels below the upper edge. */
  messageAt(top: number): MessageKey | undefined;
  /** Messages of which at least half is visible, or that fill half of the window, oldest first. */
  shown(): readonly MessageKey[];
  /** Pixels from the start of the list to the upper edge of the window. */
  above(): number;
  /** Pixels from the lower edge of the window to the end of the list. */
  below(): number;
}

/** A message and its upper edge on the screen in pixels. */
interface Place {
  readonly key: MessageKey;
  readonly top: number;
}

/** Position of a message in the window: the middle, the top, or pixels below the upper edge. */
export type Where = 'middle' | 'top' | number;

/** @param at The message to start at; by default the end. */
export function createLongList(keys: readonly MessageKey[], at?: MessageKey, where: Where = 'middle'): LongList {
  const heights = createRowHeights();
  const listeners = new Set<() => void>();
  let elements: Elements | undefined;
  let range = at === undefined ? lastRows(keys) : rowsAround(keys, at);
  let wanted = range;
  /** The destination until it is reached. */
  let sought = at;
  let soughtAt = where;
  let atEnd = at === undefined;
  let endIsNewest = true;
  /** Height and lower edge of the window at the last layout. */
  let height = 0;
  let edge = 0;
  /** The height last set on the content. */
  let fitted = 0;
  /** The distance when the window last had this height. */
  let seen = 0;
  /** Fraction of a pixel that was not scrolled. Fractions would add up. */
  let owed = 0;
  let hadFocus = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let fitting = 0;

  /**
   * Pixels from the end of the list to the lower edge of the window. Reading `scrollTop` forces a layout, so the end is known
   * without it.
   */
  function distance(): number {
    return atEnd || !elements ? 0 : -elements.scroller.scrollTop;
  }

  /** The distance before a resize: at the start of the list the browser already scrolled a window that grew. */
  function distanceBefore({ scroller }: Elements): number {
    const now = distance();
    return now + scroller.clientHeight < fitted - 1 ? now : Math.max(now, seen);
  }

  /** The first message that starts inside the window, or the one that fills it. */
  function place(given: Elements): Place | undefined {
    const lower = distanceBefore(given);
    const upper = lower + height;
    const covering = heights.indexAt(upper);
    const first = heights.distanceOf(covering + 1) > lower ? covering + 1 : covering;
    // Rows that are not mounted have no known position.
    const index = Math.max(first, range.from);
    const key = index < range.to && heights.distanceOf(index) > lower ? heights.keys[index] : undefined;
    return key === undefined ? undefined : { key, top: edge + lower - heights.distanceOf(index) };
  }

  /** Measures and positions the rows after a change; the visible rows keep their place. */
  function settle(given: Elements, change: () => void): void {
    const { scroller, content, rows } = given;
    const held = atEnd ? undefined : place(given);
    change();
    [...rows.children].forEach((row, index) => heights.measure(range.from + index, row.getBoundingClientRect().height));
    height = scroller.clientHeight;
    edge = scroller.getBoundingClientRect().bottom;
    if (fitted <= height) fit(content);
    else fitInFrame(content);
    rows.style.bottom = `${heights.distanceOf(range.to)}px`;
    if (atEnd) scrollToEnd();
    else if (!bringIn(given) && held) keep(given, held);
    seen = distance();
  }

  /** Scrolls to the destination when it is mounted. */
  function bringIn({ scroller, content }: Elements): boolean {
    const index = sought === undefined ? -1 : heights.keys.indexOf(sought);
    if (index < range.from || index >= range.to) return false;
    sought = undefined;
    fit(content);
    const upper = heights.distanceOf(index);
    const tall = upper - heights.distanceOf(index + 1);
    const inMiddle = Math.max((height - tall) / 2, 0);
    const above = soughtAt === 'middle' ? inMiddle : soughtAt === 'top' ? readBefore : soughtAt;
    const lower = Math.max(upper + above - height, 0);
    scroller.scrollTo({ top: -lower, behavior: 'instant' });
    atEnd = isAtEnd(scroller);
    return true;
  }

  function isAtEnd({ scrollTop }: HTMLElement): boolean {
    return endIsNewest && -scrollTop <= endTolerance;
  }

  function fit(content: HTMLElement): void {
    fitted = heights.distanceOf(0);
    content.style.height = `${fitted}px`;
  }

  /**
   * Sets the height only at either end, or when the reader comes close to the estimated start, because a change of the height
   * interrupts a scroll. It waits for the next frame: until then Chromium remembers the wheel position by its distance to the
   * start.
   */
  function fitInFrame(content: HTMLElement): void {
    cancelAnimationFrame(fitting);
    fitting = requestAnimationFrame(() => {
      const comingToStart = distance() + 3 * height > fitted;
      if (atEnd || range.from === 0 || comingToStart) fit(content);
    });
  }

  function keep({ scroller, content }: Elements, { key, top }: Place): void {
    const now = edge + distance() - heights.distanceOf(indexOf(heights.keys, key));
    owed += now - top;
    const whole = Math.round(owed);
    owed -= whole;
    // The content must grow before the list can scroll that far.
    if (distance() - whole + height > fitted) fit(content);
    if (whole !== 0) scroller.scrollBy({ top: whole, behavior: 'instant' });
  }

  function scrollToEnd(): void {
    elements?.scroller.scrollTo({ top: 0, behavior: 'instant' });
  }

  /** Repeats the scroll after rows may have reached their final height. */
  function scrollAgain(milliseconds: number): void {
    clearTimeout(again);
    again = setTimeout(() => atEnd && scrollToEnd(), milliseconds);
  }

  /** Requests other rows when few are left outside the window, or too many. */
  function look(): void {
    // Until the destination is mounted, only it decides the rows.
    if (sought !== undefined) listeners.forEach((listener) => listener());
    if (!elements || sought !== undefined) return;
    const ready = atEnd ? readyAtEnd : readyAbove;
    const lower = distance();
    const upper = lower + height;
    const [top, bottom] = [heights.distanceOf(range.from), heights.distanceOf(range.to)];
    const runOut = (range.from > 0 && top < upper + ready / 2) || (range.to < range.keys.length && bottom > lower - ready / 2);
    const tooMany = top > upper + 2 * readyAbove || bottom < lower - 2 * readyAbove;
    if (runOut || tooMany) want(heights.indexAt(upper + ready), heights.indexAt(lower - ready) + 1);
    listeners.forEach((listener) => listener());
  }

  function want(from: number, to: number): void {
    if (from === range.from && to === range.to) return;
    wanted = { keys: heights.keys, from, to };
    hadFocus = elements?.rows.contains(document.activeElement) ?? false;
  }

  function follow({ scroller }: Elements): void {
    atEnd = isAtEnd(scroller);
    if (scroller.clientHeight === height) seen = distance();
    look();
  }

  function toMessage(key: MessageKey, where: Where): void {
    if (!heights.keys.includes(key)) return;
    sought = key;
    soughtAt = where;
    atEnd = false;
    const { from, to } = rowsAround(heights.keys, key);
    if (from >= range.from && to <= range.to && elements) settle(elements, () => undefined);
    else want(from, to);
    look();
  }

  function toEnd(): void {
    sought = undefined;
    atEnd = true;
    scrollToEnd();
    look();
  }

  /** Without animation: a page that loads during an animation would interrupt it. */
  function jump(to: Jump, { scroller, content }: Elements): void {
    if (to === 'End') return toEnd();
    if (to === 'Home') fit(content);
    // A list that fits its window does not scroll.
    if (fitted <= height) return;
    if (to === 'Home') atEnd = false;
    const top = { Home: -fitted, PageUp: -height * partOfPage, PageDown: height * partOfPage }[to];
    scroller.scrollBy({ top, behavior: 'instant' });
  }

  return {
    wanted: () => wanted,
    atEnd: () => atEnd,

    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    attach(given) {
      elements = given;
      const resized = new ResizeObserver(() => {
        // A hidden list has no heights.
        if (given.scroller.clientHeight === 0) return;
        settle(given, () => undefined);
        // Mounting rows now would change the observed elements.
        requestAnimationFrame(look);
      });
      resized.observe(given.scroller);
      resized.observe(given.rows);
      const onScroll = () => follow(given);
      given.scroller.addEventListener('scroll', onScroll, { passive: true });
      const onKey = (event: KeyboardEvent) => {
        if (isForInputMethod(event)) return;
        const to = jumpOf(event);
        if (!to) return;
        event.preventDefault();
        jump(to, given);
      };
      given.scroller.addEventListener('keydown', onKey);
      return () => {
        clearTimeout(again);
        cancelAnimationFrame(fitting);
        resized.disconnect();
        given.scroller.removeEventListener('scroll', onScroll);
        given.scroller.removeEventListener('keydown', onKey);
        elements = undefined;
      };
    },

    mounted(next, nextEndIsNewest) {
      if (!elements) return;
      endIsNewest = nextEndIsNewest;
      if (!endIsNewest) atEnd = false;
      if (hasSent(range.keys, next.keys)) atEnd = true;
      if (next.keys !== heights.keys) scrollAgain(heights.keys.length === 0 ? scrollAfterLoad : scrollAfterMessage);
      settle(elements, () => {
        heights.become(next.keys);
        range = next;
      });
      // If the focused row was unmounted, the list takes the focus, so keys still scroll.
      if (hadFocus && !elements.rows.contains(document.activeElement)) elements.scroller.focus({ preventScroll: true });
      hadFocus = false;
      look();
    },

    toEnd,
    toMessage,

    place() {
      const held = atEnd || sought !== undefined || height === 0 || !elements ? undefined : place(elements);
      return held && { ...held, top: held.top - (edge - height) };
    },
    messageAt: (top) => heights.keys[heights.indexAt(distance() + height - top)],
    shown() {
      const lower = distance();
      const upper = lower + height;
      const isSeen = (index: number) => {
        const [top, bottom] = [heights.distanceOf(index), heights.distanceOf(index + 1)];
        return Math.min(top, upper) - Math.max(bottom, lower) >= Math.min(top - bottom, height) / 2;
      };
      // Rows that are not mounted are not visible.
      let from = Math.max(heights.indexAt(upper), range.from);
      let to = Math.min(heights.indexAt(lower) + 1, range.to);
      while (from < to && !isSeen(from)) from += 1;
      while (to > from && !isSeen(to - 1)) to -= 1;
      return height === 0 || sought !== undefined ? [] : heights.keys.slice(from, to);
    },
    above: () => heights.distanceOf(0) - distance() - height,
    below: distance,
  };
}

function lastRows(keys: readonly MessageKey[]): Range {
  return { keys, from: Math.max(0, keys.length - firstRows), to: keys.length };
}

function rowsAround(keys: readonly MessageKey[], key: MessageKey): Range {
  const index = keys.indexOf(key);
  if (index < 0) return lastRows(keys);
  return { keys, from: Math.max(0, index - firstRows), to: Math.min(keys.length, index + firstRows + 1) };
}
