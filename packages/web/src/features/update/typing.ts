/** Whether a form contains text that a reload would lose. */

/** Bears what is kept: messages that are being written or corrected. */
const kept = '[data-kept]';

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface Typing {
  /** Whether something stands in a field that was typed into and is still on the screen. */
  isUnderWay(): boolean;
  stop(): void;
}

/** @param goesOn hears of all that is typed. */
export function watchTyping(page: Document, goesOn: () => void): Typing {
  const fields = new Set<Field>();

  const onInput = ({ target }: Event) => {
    // Those that have gone are forgotten, so that there are never more than the screen shows.
    for (const field of fields) if (!holds(field)) fields.delete(field);
    if (isTypedInto(target) && !target.matches(kept)) fields.add(target);
    goesOn();
  };

  page.addEventListener('input', onInput, { capture: true });
  return {
    isUnderWay: () => [...fields].some(holds),
    stop: () => page.removeEventListener('input', onInput, { capture: true }),
  };
}

/** Searches are not counted, and choices are saved at once. */
function isTypedInto(target: EventTarget | null): target is Field {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && ['text', 'email', 'tel', 'url', 'password', 'number'].includes(target.type);
}

function holds(field: Field): boolean {
  return field.isConnected && field.value !== '';
}
