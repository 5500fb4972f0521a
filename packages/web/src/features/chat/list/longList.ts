/**
 * A list of many messages of which those near the reader are mounted. It is counted from its end, as the browser counts
 * in a reversed column: nothing that is older moves what is newer, neither older messages that arrive nor the heights of
 * those that the reader is coming to, and at its end the list stays there by itself. Where something newer changes under
 * a reader who has scrolled up, the list scrolls by as much, so that what they read keeps its place (R4.10).
 */
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { scrollAfterLoad, scrollAfterMessage } from '../../../model/constants.ts';
import type { MessageKey } from '../../../model/timeline/message.ts';
import { createRowHeights, indexOf } from './rowHeights.ts';
import { hasSent, type Range } from './scrolling.ts';
import { jumpOf, type Jump } from './scrollKeys.ts';

/** So near to its end, the list counts as being at its end. */
const endTolerance = 24;
/** So far beyond the window rows are ready: few at the end, where a stream opens; more for who scrolls. */
const readyAtEnd = 200;
const readyAbove = 1000;
/** How much of the window PageUp and PageDown go, as browsers have it. */
const partOfPage = 0.875;
/** Pixels that stay in the window above a message that one reads on from: the date may cover them. */
const readBefore = 56;
/** Rows that are mounted before anything is measured. */
const firstRows = 10;

interface Elements {
  /** The reversed column that scrolls; `content` is its only child. */
  readonly scroller: HTMLElement;
  /** As high as all the rows. */
  readonly content: HTMLElement;
  /** Within `content`, placed by its lower edge, with a child for each row that is mounted. */
  readonly rows: HTMLElement;
}

export interface LongList {
  /** The rows that should be mounted, of the messages as they were when that was decided. */
  wanted(): Range;
  /** Whether the reader is at the end, or is being taken there. */
  atEnd(): boolean;
  /** Called whenever the reader has moved or rows were laid out; returns how to stop. */
  subscribe(listener: () => void): () => void;
  /** Takes care of the elements; returns how to stop. */
  attach(elements: Elements): () => void;
  /**
   * These rows are in the document now.
   * @param endIsNewest Whether the newest message is the last of them. Where newer ones follow, the end is a place like
   *   any other: nothing is held there.
   */
  mounted(range: Range, endIsNewest: boolean): void;
  toEnd(): void;
  /** Takes the reader to a message of the list. */
  toMessage(key: MessageKey, where: Where): void;
  /** Where the reader is, in pixels from the window's upper edge; undefined at the end, which is no message's place. */
  place(): Place | undefined;
  /** The message at so many pixels below the window's upper edge. */
  messageAt(top: number): MessageKey | undefined;
  /** The messages that are in the window, by half of their height or half of its, oldest first. */
  shown(): readonly MessageKey[];
  /** Pixels from the list's start to the window's upper edge. */
  above(): number;
  /** Pixels from the window's lower edge to the list's end. */
  below(): number;
}

/** A message and where on the screen it begins, in pixels from the top. */
interface Place {
  readonly key: MessageKey;
  readonly top: number;
}

/**
 * Where in the window a message comes to stand: in its middle, or at its top, so that one reads on from there, or so many
 * pixels below its upper edge.
 */
export type Where = 'middle' | 'top' | number;

/** @param at The message to begin at, instead of the end. */
export function createLongList(keys: readonly MessageKey[], at?: MessageKey, where: Where = 'middle'): LongList {
  const heights = createRowHeights();
  const listeners = new Set<() => void>();
  let elements: Elements | undefined;
  let range = at === undefined ? lastRows(keys) : rowsAround(keys, at);
  let wanted = range;
  /** The message that the reader is being taken to, until it is there. */
  let sought = at;
  let soughtAt = where;
  let atEnd = at === undefined;
  let endIsNewest = true;
  /** The window's height, and where on the screen it ends, when rows were last laid out. */
  let height = 0;
  let edge = 0;
  /** The height that the content was given. */
  let fitted = 0;
  /** The distance when the window last had that height. */
  let seen = 0;
  /** What was too little to scroll by. It is kept, or it would add up. */
  let owed = 0;
  let hadFocus = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let fitting = 0;

  /** From the list's end to the window's lower edge. Asking the browser makes it lay out, so nobody asks at the end. */
  function distance(): number {
    return atEnd || !elements ? 0 : -elements.scroller.scrollTop;
  }

  /**
   * The same before the window changed its height: at the list's start one that grew has been scrolled by the browser,
   * which cannot go beyond the start.
   */
  function distanceBefore({ scroller }: Elements): number {
    const now = distance();
    return now + scroller.clientHeight < fitted - 1 ? now : Math.max(now, seen);
  }

  /** The first message that begins within the window or, where one fills it, that one. */
  function place(given: Elements): Place | undefined {
    const lower = distanceBefore(given);
    const upper = lower + height;
    const covering = heights.indexAt(upper);
    const first = heights.distanceOf(covering + 1) > lower ? covering + 1 : covering;
    // Of what is not mounted nobody has seen where it is.
    const index = Math.max(first, range.from);
    const key = index < range.to && heights.distanceOf(index) > lower ? heights.keys[index] : undefined;
    return key === undefined ? undefined : { key, top: edge + lower - heights.distanceOf(index) };
  }

  /** Lays the rows out after a change, with the reader where they were. */
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

  /** Scrolls to what is sought, as soon as it is mounted. */
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

  /** The content's height is that of all rows. */
  function fit(content: HTMLElement): void {
    fitted = heights.distanceOf(0);
    content.style.height = `${fitted}px`;
  }

  /**
   * Where this can be seen: at either end, or when the reader is coming to the start of what was thought to be there. In
   * between the height stays, because a change breaks off a scrolling that is under way. And only when a frame begins:
   * Chromium keeps where a wheel has gone since the last one by its distance to the start, which is then another.
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
    // Where so much has come below that there is no way to go by it.
    if (distance() - whole + height > fitted) fit(content);
    if (whole !== 0) scroller.scrollBy({ top: whole, behavior: 'instant' });
  }

  function scrollToEnd(): void {
    elements?.scroller.scrollTo({ top: 0, behavior: 'instant' });
  }

  /** When what has come may have got its final height. */
  function scrollAgain(milliseconds: number): void {
    clearTimeout(again);
    again = setTimeout(() => atEnd && scrollToEnd(), milliseconds);
  }

  /** Wants other rows when those beyond the window run out, or when there are far too many. */
  function look(): void {
    // Which rows are wanted beside what is sought shows when it is there.
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

  /** At once: a browser takes its time for these, and a page that arrives on the way would break it off. */
  function jump(to: Jump, { scroller, content }: Elements): void {
    if (to === 'End') return toEnd();
    if (to === 'Home') fit(content);
    // A list that fits its window goes nowhere.
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
        // What is not shown has no height to learn.
        if (given.scroller.clientHeight === 0) return;
        settle(given, () => undefined);
        // To mount rows now would be to change what is being observed.
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
      // Whoever reads by keyboard goes on scrolling when the row that they were in has gone.
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
      // Of what is not mounted nobody has seen anything.
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
