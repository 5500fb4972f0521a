/** Edits by commands, because only these keep the browser's undo history. Browsers without a command get the result without it. */

export function insertText(field: HTMLTextAreaElement, text: string): void {
  if (!document.execCommand('insertText', false, text)) replaceSelection(field, text);
}

/** Inserts a text as a separate step of undo. Without a change of the selection, undo would also remove what was typed before. */
export function pasteText(field: HTMLTextAreaElement, text: string): void {
  const { selectionStart, selectionEnd } = field;
  field.setSelectionRange(0, 0);
  field.setSelectionRange(selectionStart, selectionEnd);
  insertText(field, text);
}

export function deleteSelection(field: HTMLTextAreaElement): void {
  if (!document.execCommand('delete')) replaceSelection(field, '');
}

function replaceSelection(field: HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
