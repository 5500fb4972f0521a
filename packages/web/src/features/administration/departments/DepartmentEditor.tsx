import { useEffectEvent, useLayoutEffect, type KeyboardEvent } from 'react';
import { maxDepartmentDepth } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import type { TreeRow } from '../../../components/departmentTree.ts';
import { isForInputMethod } from '../../../components/inputMethod.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import { useDepartmentTree } from '../../../components/useDepartmentTree.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { VisuallyHidden } from '../../../components/primitives/VisuallyHidden.tsx';
import styles from './DepartmentEditor.module.css';
import { moved, type DepartmentMove } from './departmentModel.ts';
import { DepartmentRow } from './DepartmentRow.tsx';
import { useDepartmentDrag } from './useDepartmentDrag.ts';
import { useKeyboardMove } from './useKeyboardMove.ts';

interface DepartmentEditorProps {
  readonly tree: readonly DepartmentNode[];
  readonly selected: string | undefined;
  readonly renaming: string | undefined;
  /** The move of the grabbed department, or one that waits for a confirmation. */
  readonly move: DepartmentMove | undefined;
  readonly actionsFor: (node: DepartmentNode) => readonly MenuItem[];
  readonly onSelect: (code: string) => void;
  readonly onRename: (code: string | undefined) => void;
  readonly onRenamed: (name: string) => void;
  readonly onMove: (move: DepartmentMove | undefined) => void;
  readonly onDrop: (move: DepartmentMove) => void;
}

/**
 * The editable departments as a `tree` by the WAI-ARIA pattern: Enter shows a department, F2 renames it, Space grabs it for
 * the arrow keys, and the pointer drags it. The tree previews the new place of a grabbed department.
 */
export function DepartmentEditor({
  tree,
  selected,
  renaming,
  move,
  actionsFor,
  onSelect,
  onRename,
  onRenamed,
  onMove,
  onDrop,
}: DepartmentEditorProps) {
  const words = useAdministrationWords().departments;
  const shown = (move && moved(tree, move.code, move.place, maxDepartmentDepth)) ?? tree;
  const { rows, folded, row: rowAttributes, tabIndexOf, reach, focus, toggle, move: moveFocus } = useDepartmentTree(shown);
  const keyboard = useKeyboardMove({ tree, shown, folded, onMove, onDrop });
  const pointer = useDepartmentDrag(tree, keyboard.drop);

  useFocusOnMoved(move, focus);

  const onKeyDown = (event: KeyboardEvent, { node }: TreeRow) => {
    // Ignores keys that were typed into the row's menu or name field.
    if (isForInputMethod(event) || event.target !== event.currentTarget) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const code = node.departmentCd;
    if (move) {
      keyboard.onKeyDown(event, move);
      return;
    }
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      Enter: () => onSelect(code),
      ' ': () => keyboard.grab(code),
      F2: () => onRename(code),
    };
    const act = actions[event.key];
    if (act) {
      event.preventDefault();
      act();
      return;
    }
    moveFocus(event, code);
  };

  const itemOf = (row: TreeRow) => {
    const { departmentCd: code } = row.node;
    return (
      <div
        key={code}
        role="treeitem"
        {...rowAttributes(row)}
        tabIndex={tabIndexOf(row)}
        aria-selected={code === selected}
        data-carried={code === move?.code || undefined}
        data-dragged={code === pointer.drag?.code || undefined}
        data-drop={pointer.drag?.over?.code === code ? pointer.drag.over.spot : undefined}
        className={styles['item']}
        draggable={renaming !== code && !move}
        onDragStart={(event) => {
          pointer.start(event, row.node);
          reach(code);
        }}
        onDragOver={(event) => pointer.over(event, row)}
        onDrop={(event) => pointer.drop(event, row)}
        onDragEnd={pointer.end}
        onClick={() => {
          reach(code);
          if (!move) onSelect(code);
        }}
        onKeyDown={(event) => onKeyDown(event, row)}
      >
        <DepartmentRow
          tree={tree}
          row={row}
          isRenaming={renaming === code}
          actionsFor={actionsFor}
          onToggle={() => toggle(code)}
          onClose={() => {
            onRename(undefined);
            focus(code);
          }}
          onRenamed={(name) => {
            focus(code);
            onRenamed(name);
          }}
        />
      </div>
    );
  };

  return (
    <>
      <div role="tree" aria-label={words.tree} className={styles['tree']}>
        {rows.map(itemOf)}
      </div>
      <VisuallyHidden live>{keyboard.announcement}</VisuallyHidden>
    </>
  );
}

/** Each step renders the moved department in another element, which needs the focus. */
function useFocusOnMoved(move: DepartmentMove | undefined, focus: (code: string) => void): void {
  const code = move?.code;
  const place = move && `${move.place.parent ?? ''} ${move.place.position}`;
  const follow = useEffectEvent(focus);
  useLayoutEffect(() => {
    if (code !== undefined && place !== undefined) follow(code);
  }, [code, place]);
}
