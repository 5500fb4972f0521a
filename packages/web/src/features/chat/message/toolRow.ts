/** A sent message and the slot of the tools in its row. */
export interface ToolRow {
  readonly messageId: number;
  readonly slot: HTMLElement;
}

export function articleOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest('article') : null;
}

/**
 * The row of an event target. The list delegates pointer and focus events and reads the message from the element, because state per
 * row would render a row for each move of the pointer.
 */
export function rowOf(target: EventTarget | null): ToolRow | undefined {
  const article = articleOf(target);
  const messageId = Number(article?.dataset['key'] ?? NaN);
  const slot = article?.querySelector<HTMLElement>('[data-tools]');
  return slot && Number.isSafeInteger(messageId) ? { messageId, slot } : undefined;
}
