/**
 * A ref for what scrolls, by whatever of its first children grows, without holding anything that takes the focus. Most
 * browsers let the keyboard reach such a place by themselves; Safari does not. What does not overflow stays out of the tab
 * order, also when the window changes.
 */
export function scrollableByKeyboard(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const sizes = new ResizeObserver(() => {
    const overflows = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
    if (overflows) element.tabIndex = 0;
    // Without it whoever stands there would be thrown out.
    else if (document.activeElement !== element) element.removeAttribute('tabindex');
  });
  sizes.observe(element);
  for (const child of element.children) sizes.observe(child);
  return () => sizes.disconnect();
}
