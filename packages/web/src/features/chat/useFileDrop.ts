import { useState, type DragEvent } from 'react';

export function useFileDrop(enabled: boolean, onFiles: (data: DataTransfer) => void) {
  const [dropping, setDropping] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!enabled || !event.dataTransfer.types.includes('Files') || isInDialog(event)) return;
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
    if (event.dataTransfer.files.length === 0 || isInDialog(event)) return;
    event.preventDefault();
    onFiles(event.dataTransfer);
  };

  return { dropping, dropHandlers: { onDragOver, onDragLeave, onDrop } };
}

function isInDialog({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}
