import { useRef, useState, type DragEvent } from 'react';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import type { ComposerHandle } from './composer/Composer.tsx';

/** What a member has dropped. A folder would become an unreadable file, so nothing that comes with one is taken. */
export interface Dropped {
  readonly files: readonly File[];
  readonly hasFolder: boolean;
}

/** The composer of a conversation. Files that are dropped before its code is loaded wait for it. */
export function useDropTarget(conversation: ConversationKey) {
  const composer = useRef<ComposerHandle>(null);
  const waiting = useRef(new Map<ConversationKey, Dropped>());
  const attach = (handle: ComposerHandle | null) => {
    composer.current = handle;
    const dropped = handle && waiting.current.get(conversation);
    if (!dropped) return;
    waiting.current.delete(conversation);
    handle.drop(dropped);
  };
  const drop = ({ files, hasFolder }: Dropped) => {
    if (composer.current) return composer.current.drop({ files, hasFolder });
    const before = waiting.current.get(conversation);
    waiting.current.set(conversation, {
      files: [...(before?.files ?? []), ...files],
      hasFolder: hasFolder || before?.hasFolder === true,
    });
  };
  return { composer, attach, drop };
}

export function useFileDrop(enabled: boolean, onDropped: (dropped: Dropped) => void) {
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
    if (!enabled || event.dataTransfer.files.length === 0 || isInDialog(event)) return;
    event.preventDefault();
    onDropped(droppedOf(event.dataTransfer));
  };

  return { dropping, dropHandlers: { onDragOver, onDragLeave, onDrop } };
}

/** Only the drop itself can tell a folder from a file. */
function droppedOf({ files, items }: DataTransfer): Dropped {
  const hasFolder = [...items].some((item) => item.webkitGetAsEntry()?.isDirectory);
  return { files: hasFolder ? [] : [...files], hasFolder };
}

function isInDialog({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}
