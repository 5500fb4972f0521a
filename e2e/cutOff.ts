import type { Page } from '@playwright/test';
import { resize } from './screen.ts';

/** What can be used, is shown, and is cut off at the side, where nothing scrolls to it, in a window of so many pixels. */
export async function cutOff(page: Page, size: { readonly width: number; readonly height: number }): Promise<readonly string[]> {
  await resize(page, size);
  return page.evaluate(async () => {
    // What places itself by the window's size has done so.
    for (const _ of [1, 2, 3]) await new Promise((painted) => requestAnimationFrame(painted));
    const scrolls = (element: Element | null): boolean => {
      if (!element) return false;
      const { overflowX } = getComputedStyle(element);
      return ['auto', 'scroll'].includes(overflowX) || scrolls(element.parentElement);
    };
    const used = 'button, a, input:not([hidden]), textarea, select, [role=treeitem], h1, h2, p';
    // Few stand over the edge, and only of them the rest is asked, which is work.
    const cut = Array.from(document.querySelectorAll(used))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 1 && (left < -1 || right > innerWidth + 1);
      })
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !scrolls(element.parentElement))
      .map((element) => element.outerHTML.slice(0, 120));
    return document.documentElement.scrollWidth > innerWidth ? [...cut, 'the page'] : cut;
  });
}
