import type { Page } from '@playwright/test';
import { resize } from './screen.ts';

/** Visible elements that are cut off at the side of a window of this size, where nothing scrolls to them. */
export async function overflowing(
  page: Page,
  size: { readonly width: number; readonly height: number },
): Promise<readonly string[]> {
  await resize(page, size);
  return page.evaluate(async () => {
    // Waits for scripts that position elements.
    for (const _ of [1, 2, 3]) await new Promise((painted) => requestAnimationFrame(painted));
    const scrolls = (element: Element | null): boolean => {
      if (!element) return false;
      const { overflowX } = getComputedStyle(element);
      return ['auto', 'scroll'].includes(overflowX) || scrolls(element.parentElement);
    };
    const used = 'button, a, input:not([hidden]), textarea, select, [role=treeitem], h1, h2, p';
    // Only elements that cross the edge are checked further, because these checks are slow.
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
