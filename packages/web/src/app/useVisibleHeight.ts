import { useEffect } from 'react';

/** Shrinks the page to the height above the screen keyboard, which Safari draws over the page instead of resizing it. */
export function useVisibleHeight(): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const page = document.documentElement;
    const fit = () => {
      // A zoomed page keeps its height.
      const covered = view.scale === 1 && view.height < page.clientHeight;
      if (covered) page.style.setProperty('--visible-height', `${view.height}px`);
      else page.style.removeProperty('--visible-height');
      // Safari has scrolled the page to show the field, which is visible now.
      if (covered) window.scrollTo(0, 0);
    };
    view.addEventListener('resize', fit);
    return () => view.removeEventListener('resize', fit);
  }, []);
}
