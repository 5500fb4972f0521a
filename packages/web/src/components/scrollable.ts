/**
 * A ref for what scrolls without holding anything that takes the focus. Most browsers let the keyboard reach such a
 * place by themselves; Safari does not. What does not overflow stays out of the tab order.
 */
export function scrollableByKeyboard(element: HTMLElement | null): void {
  if (!element) return;
  const overflows = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
  if (overflows) element.tabIndex = 0;
}
