/** A ref that makes a scrolling element focusable while it overflows, as Chrome and Firefox do and Safari does not. */
export function scrollableByKeyboard(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const sizes = new ResizeObserver(() => {
    const overflows = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
    if (overflows) element.tabIndex = 0;
    // An element that loses its tabindex also loses the focus.
    else if (document.activeElement !== element) element.removeAttribute('tabindex');
  });
  sizes.observe(element);
  for (const child of element.children) sizes.observe(child);
  return () => sizes.disconnect();
}
