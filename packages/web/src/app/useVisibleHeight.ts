import { useEffect } from 'react';

/**
 * Where the keyboard on the screen lies over the page instead of making it smaller, as Safari has it, the page takes the
 * height that is left: the field stays above the keyboard, and the newest messages above the field.
 */
export function useVisibleHeight(): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const page = document.documentElement;
    const fit = () => {
      // Who has zoomed in looks at a part of the page, which stays as it is.
      const covered = view.scale === 1 && view.height < page.clientHeight;
      if (covered) page.style.setProperty('--visible-height', `${view.height}px`);
      else page.style.removeProperty('--visible-height');
      // Safari has moved the page up to show the field, which fits now.
      if (covered) window.scrollTo(0, 0);
    };
    view.addEventListener('resize', fit);
    return () => view.removeEventListener('resize', fit);
  }, []);
}
