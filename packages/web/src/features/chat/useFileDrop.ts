import { useState, type DragEvent, type RefObject } from 'react';
import type { ComposerHandle } from './composer/Composer.tsx';

/** Files are taken only while the composer is there: not before its code is loaded, and not during an edit. */
export function useFileDrop(composer: RefObject<ComposerHandle | null>) {
  const [dropping, setDropping] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!composer.current || !event.dataTransfer.types.includes('Files') || isInDialog(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setDropping(true);
  };
  const onDragLeave = (event: DragEvent) => {
    const to = event.relatedTarget;
    if (!(to instanceof Node && event.currentTarget.contains(to))) setDropping(false);
  };
  const onDrop = (event: DragEvent) => {
    setDropping(false);
    if (!composer.current || event.dataTransfer.files.length === 0 || isInDialog(event)) return;
    event.preventDefault();
    composer.current.drop(event.dataTransfer);
  };

  return { dropping, dropHandlers: { onDragOver, onDragLeave, onDrop } };
}

function isInDialog({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}
