import { useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import { useNotLoaded } from '../hooks/matching.ts';
import { treeMoveOf, visibleRows, type TreeRow } from './departmentTree.ts';

const typeAheadMs = 600;

/**
 * The state of a WAI-ARIA `tree`. Tab enters it at the row that was reached last, else at the chosen one.
 * `row(of)` returns the attributes of a row, `move` handles its keys.
 */
export function useDepartmentTree(departments: readonly DepartmentNode[], isChosen?: (node: DepartmentNode) => boolean) {
  const notLoaded = useNotLoaded();
  const elements = useRef(new Map<string, HTMLElement>());
  const typed = useRef({ text: '', at: 0 });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [reached, reach] = useState<string>();
  const rows = visibleRows(departments, folded);
  const chosen = isChosen && rows.find(({ node }) => isChosen(node));
  const inTabOrder = rows.find(({ node }) => node.departmentCd === reached) ?? chosen ?? rows[0];

  const focus = (code: string) => {
    reach(code);
    elements.current.get(code)?.focus();
  };

  const toggle = (code: string) => {
    const next = new Set(folded);
    if (!next.delete(code)) next.add(code);
    setFolded(next);
  };

  const moveTo = async (text: string, code: string) => {
    try {
      const { typeAhead } = await import('./typeAhead.ts');
      const found = typeAhead(text, rows, code);
      // The focus may have left the row meanwhile.
      if (!elements.current.get(code)?.contains(document.activeElement)) return;
      if (found !== undefined) focus(found);
    } catch {
      notLoaded();
    }
  };

  /** For arrows, Home, End and letters. The caller has excluded input methods and modifier keys. */
  const move = (event: KeyboardEvent, code: string) => {
    if (event.key.length === 1) {
      const now = event.timeStamp;
      const text = now - typed.current.at < typeAheadMs ? typed.current.text + event.key : event.key;
      typed.current = { text, at: now };
      void moveTo(text, code);
      return;
    }
    const to = treeMoveOf(event.key, rows, code);
    if (!to) return;
    event.preventDefault();
    if (to.kind === 'focus') focus(to.code);
    else toggle(to.code);
  };

  const row = (of: TreeRow) => {
    const { departmentCd: code } = of.node;
    const style: CSSProperties & Record<'--level', number> = { '--level': of.level - 1 };
    return {
      ref: (element: HTMLElement | null) => {
        if (element) elements.current.set(code, element);
        return () => void elements.current.delete(code);
      },
      'aria-level': of.level,
      'aria-posinset': of.position,
      'aria-setsize': of.siblings,
      'aria-expanded': of.expanded,
      style,
    };
  };

  const tabIndexOf = (of: TreeRow) => (of === inTabOrder ? 0 : -1);

  return { rows, folded, row, tabIndexOf, reach, focus, toggle, move };
}
