import { useState, type DragEvent } from 'react';
import { maxDepartmentDepth } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import type { TreeRow } from '../../../components/departmentTree.ts';
import { positionAt, type DepartmentMove, type Spot } from './departmentModel.ts';

/** The department that the pointer drags, and the row under the pointer if the department may be dropped there. */
interface Drag {
  readonly code: string;
  readonly over?: { readonly code: string; readonly spot: Spot } | undefined;
}

export function useDepartmentDrag(tree: readonly DepartmentNode[], onDrop: (move: DepartmentMove) => void) {
  const [drag, setDrag] = useState<Drag>();

  return {
    drag,
    start(event: DragEvent, { departmentCd: code, displayName }: DepartmentNode) {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', displayName);
      setDrag({ code });
    },
    over(event: DragEvent<HTMLElement>, { node, expanded }: TreeRow) {
      if (!drag) return;
      const over = { code: node.departmentCd, spot: spotIn(event) };
      const isOpen = expanded === true;
      const may = positionAt(tree, drag.code, { ...over, isOpen }, maxDepartmentDepth) !== undefined;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = may ? 'move' : 'none';
      const now = may ? over : undefined;
      if (now?.code !== drag.over?.code || now?.spot !== drag.over?.spot) setDrag({ code: drag.code, over: now });
    },
    drop(event: DragEvent<HTMLElement>, { node, expanded }: TreeRow) {
      if (!drag) return;
      event.preventDefault();
      const target = { code: node.departmentCd, spot: spotIn(event), isOpen: expanded === true };
      const place = positionAt(tree, drag.code, target, maxDepartmentDepth);
      setDrag(undefined);
      if (place) onDrop({ code: drag.code, place });
    },
    end: () => setDrag(undefined),
  };
}

/** The upper quarter of a row means before it, the lower quarter after it. */
function spotIn({ currentTarget, clientY }: DragEvent<HTMLElement>): Spot {
  const { top, height } = currentTarget.getBoundingClientRect();
  const at = (clientY - top) / height;
  if (at < 0.25) return 'before';
  return at > 0.75 ? 'after' : 'inside';
}
