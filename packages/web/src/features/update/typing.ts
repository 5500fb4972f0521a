/** Fields whose text is stored: the composer and the editor of a message. */
const kept = '[data-kept]';

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface Typing {
  isUnderWay(): boolean;
  stop(): void;
}

export function watchTyping(page: Document, goesOn: () => void): Typing {
  const fields = new Set<Field>();

  const onInput = ({ target }: Event) => {
    // Drops fields that are no longer on the page, so that the set does not grow.
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

/** Leaves out search fields, whose loss does no harm, and choices, which are saved at once. */
function isTypedInto(target: EventTarget | null): target is Field {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && ['text', 'email', 'tel', 'url', 'password', 'number'].includes(target.type);
}

function holds(field: Field): boolean {
  return field.isConnected && field.value !== '';
}
