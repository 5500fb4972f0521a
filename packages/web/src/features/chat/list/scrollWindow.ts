import type { RowHeights } from './rowHeights.ts';

/** Pixels. A list that is closer to its end counts as at its end. */
const endTolerance = 24;
/** Part of the window that PageUp and PageDown scroll, as in browsers. */
const partOfPage = 0.875;

export interface ListElements {
  /** The scrolling reversed column. `content` is its only child. */
  readonly scroller: HTMLElement;
  readonly content: HTMLElement;
  /** Inside `content`, positioned by its lower edge, with one child per mounted row. */
  readonly rows: HTMLElement;
}

export type ScrollWindow = ReturnType<typeof createScrollWindow>;

/**
 * The window on the rows, and how it scrolls. All lengths are pixels. The distance is measured from the end of the list to the
 * lower edge of the window.
 */
export function createScrollWindow(heights: RowHeights, startsAtEnd: boolean) {
  let elements: ListElements | undefined;
  let atEnd = startsAtEnd;
  let endIsNewest = true;
  /** Height and lower edge on the screen at the last layout. */
  let height = 0;
  let edge = 0;
  /** The height last set on the content. */
  let fitted = 0;
  /** Whether rows were dropped since then: the content would end in an empty space. */
  let tooTall = false;
  /** The distance when the window last had its present height. */
  let seen = 0;
  /** Fraction of a pixel that was not scrolled. It is added to the next scroll, because lost fractions add up. */
  let owed = 0;
  let fitting = 0;

  /** Reading `scrollTop` forces a layout, so the end is known without it. */
  const distance = () => (atEnd || !elements ? 0 : -elements.scroller.scrollTop);

  function scroll(how: 'scrollTo' | 'scrollBy', top: number): void {
    elements?.scroller[how]({ top, behavior: 'instant' });
  }

  function lookForEnd(): void {
    atEnd = endIsNewest && elements !== undefined && -elements.scroller.scrollTop <= endTolerance;
  }

  function fit(): void {
    fitted = heights.distanceOf(0);
    tooTall = false;
    elements?.content.style.setProperty('height', `${fitted}px`);
  }

  function toEnd(): void {
    atEnd = true;
    scroll('scrollTo', 0);
  }

  return {
    distance,
    toEnd,
    isAtEnd: () => atEnd,
    height: () => height,
    top: () => edge - height,
    leaveEnd: () => void (atEnd = false),
    shorten: () => void (tooTall = true),

    attach(given: ListElements | undefined) {
      if (!given) cancelAnimationFrame(fitting);
      elements = given;
    },

    /** The distance before a resize. At the start of the list, the browser has already scrolled when the window grew. */
    distanceBefore() {
      const now = distance();
      return now + (elements?.scroller.clientHeight ?? 0) < fitted - 1 ? now : Math.max(now, seen);
    },

    /** @param newest Whether the last row is the newest message. Otherwise the list does not stick to its end. */
    stick(newest: boolean, wantsEnd: boolean) {
      endIsNewest = newest;
      atEnd = (atEnd && newest) || wantsEnd;
    },

    measure() {
      height = elements?.scroller.clientHeight ?? 0;
      edge = elements?.scroller.getBoundingClientRect().bottom ?? 0;
    },

    /**
     * Gives the content the height of all rows. A scrolled list gets a new height only at an end, near the estimated start, or
     * after rows were dropped, because it interrupts a scroll, and a frame later, because Chromium stores the wheel position
     * relative to the start.
     */
    fitRows(startIsMounted: () => boolean) {
      if (fitted <= height) return fit();
      cancelAnimationFrame(fitting);
      fitting = requestAnimationFrame(() => {
        const comesToStart = distance() + 3 * height > fitted;
        if (atEnd || tooTall || startIsMounted() || comesToStart) fit();
      });
    },

    moveTo(lower: number) {
      fit();
      scroll('scrollTo', -lower);
      lookForEnd();
    },

    moveBy(pixels: number) {
      owed += pixels;
      const whole = Math.round(owed);
      owed -= whole;
      // The content must grow before the list can scroll that far.
      if (distance() - whole + height > fitted) fit();
      if (whole !== 0) scroll('scrollBy', whole);
    },

    settled: () => void (seen = distance()),

    follow() {
      lookForEnd();
      if (elements?.scroller.clientHeight === height) seen = distance();
    },

    /** Without animation: a page that loads during an animation would interrupt it. */
    jump(to: 'Home' | 'PageUp' | 'PageDown') {
      if (to === 'Home') fit();
      // A list that fits its window does not scroll.
      if (fitted <= height) return;
      if (to === 'Home') atEnd = false;
      scroll('scrollBy', { Home: -fitted, PageUp: -height * partOfPage, PageDown: height * partOfPage }[to]);
    },
  };
}
