import { useEffectEvent, useLayoutEffect, useState, type DragEvent, type KeyboardEvent } from 'react';
import { maxDepartmentDepth } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { classes } from '../../../components/classes.ts';
import { isForInputMethod } from '../../../components/inputMethod.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import type { TreeRow } from '../../../components/departmentTree.ts';
import { TreeMarker } from '../../../components/TreeMarker.tsx';
import { useDepartmentTree } from '../../../components/useDepartmentTree.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import styles from './DepartmentEditor.module.css';
import { find, headCount, isSame, moved, positionAt, stepped, type Place, type Spot, type Step } from './departmentModel.ts';
import { RenameField } from './RenameField.tsx';
import { RowMenu } from '../RowMenu.tsx';

const stepOf: Readonly<Record<string, Step | undefined>> = {
  ArrowUp: 'earlier',
  ArrowDown: 'later',
  ArrowLeft: 'outwards',
  ArrowRight: 'inwards',
};

/** A department that is moved by keyboard or waits for a confirmation, and its place if it is dropped now. */
export interface Carried {
  readonly code: string;
  readonly place: Place;
}

/** The department that the pointer drags, and the row under it. */
interface Dragged {
  readonly code: string;
  readonly over?: { readonly code: string; readonly spot: Spot } | undefined;
}

/**
 * The editable departments as a `tree` by the WAI-ARIA pattern: Enter shows a department, F2 renames it, Space grabs it for
 * the arrow keys, and the pointer drags it. The tree previews the new place of a grabbed department.
 */
export function DepartmentEditor({
  tree,
  selected,
  renaming,
  carried,
  actionsFor,
  onSelect,
  onRename,
  onRenamed,
  onCarry,
  onDrop,
}: {
  readonly tree: readonly DepartmentNode[];
  readonly selected: string | undefined;
  /** The code of the department that is being renamed. */
  readonly renaming: string | undefined;
  readonly carried: Carried | undefined;
  readonly actionsFor: (node: DepartmentNode) => readonly MenuItem[];
  readonly onSelect: (code: string) => void;
  readonly onRename: (code: string | undefined) => void;
  readonly onRenamed: (name: string) => void;
  readonly onCarry: (carried: Carried | undefined) => void;
  readonly onDrop: (carried: Carried) => void;
}) {
  const all = useAdministrationWords();
  const words = all.departments;
  const [dragged, setDragged] = useState<Dragged>();
  const [said, setSaid] = useState('');

  const shown = (carried && moved(tree, carried.code, carried.place, maxDepartmentDepth)) ?? tree;
  const { rows, folded, row: rowAttributes, tabIndexOf, reach, focus, toggle, move } = useDepartmentTree(shown);

  // Each step renders the department in another element, which needs the focus.
  const carriedCode = carried?.code;
  const place = carried && `${carried.place.parent ?? ''} ${carried.place.position}`;
  const followCarried = useEffectEvent(focus);
  useLayoutEffect(() => {
    if (carriedCode !== undefined && place !== undefined) followCarried(carriedCode);
  }, [carriedCode, place]);

  const nameOf = (code: string) => find(tree, code)?.node.displayName ?? '';

  const grab = (code: string) => {
    const here = find(tree, code)?.place;
    if (!here) return;
    onCarry({ code, place: here });
    setSaid(words.grabbed(nameOf(code)));
  };

  const carry = ({ code }: Carried, step: Step) => {
    const to = stepped(shown, code, step, { folded, mostLevels: maxDepartmentDepth });
    if (!to) return;
    onCarry({ code, place: to });
    const parent = to.parent === null ? undefined : find(tree, to.parent)?.node;
    const siblings = moved(tree, code, to, maxDepartmentDepth) ?? [];
    const beside = to.parent === null ? siblings : (find(siblings, to.parent)?.node.children ?? []);
    setSaid(words.at(parent?.displayName, to.position + 1, beside.length));
  };

  const letGo = (what: Carried) => {
    onCarry(undefined);
    setSaid(words.cancelled(nameOf(what.code)));
  };

  const drop = (what: Carried) => {
    const here = find(tree, what.code)?.place;
    if (!here || isSame(here, what.place)) {
      letGo(what);
      return;
    }
    setSaid('');
    onDrop(what);
  };

  const onCarryingKey = (event: KeyboardEvent, what: Carried) => {
    const step = stepOf[event.key];
    if (step) carry(what, step);
    else if (event.key === 'Enter' || event.key === ' ') drop(what);
    else if (event.key === 'Escape') letGo(what);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const onKeyDown = (event: KeyboardEvent, { node }: TreeRow) => {
    // Ignores keys that were typed into the row's menu or name field.
    if (isForInputMethod(event) || event.target !== event.currentTarget) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const code = node.departmentCd;
    if (carried) {
      onCarryingKey(event, carried);
      return;
    }
    const does: Readonly<Record<string, (() => void) | undefined>> = {
      Enter: () => onSelect(code),
      ' ': () => grab(code),
      F2: () => onRename(code),
    };
    const act = does[event.key];
    if (act) {
      event.preventDefault();
      act();
      return;
    }
    move(event, code);
  };

  const onDragOver = (event: DragEvent<HTMLElement>, { node, expanded }: TreeRow) => {
    if (!dragged) return;
    const over = { code: node.departmentCd, spot: spotIn(event) };
    const isOpen = expanded === true;
    const may = positionAt(tree, dragged.code, { ...over, isOpen }, maxDepartmentDepth) !== undefined;
    event.preventDefault();
    event.stopPropagation();
    event.dataTransfer.dropEffect = may ? 'move' : 'none';
    const now = may ? over : undefined;
    if (now?.code !== dragged.over?.code || now?.spot !== dragged.over?.spot) setDragged({ code: dragged.code, over: now });
  };

  const onDropHere = (event: DragEvent<HTMLElement>, { node, expanded }: TreeRow) => {
    if (!dragged) return;
    event.preventDefault();
    const target = { code: node.departmentCd, spot: spotIn(event), isOpen: expanded === true };
    const to = positionAt(tree, dragged.code, target, maxDepartmentDepth);
    setDragged(undefined);
    if (to) drop({ code: dragged.code, place: to });
  };

  return (
    <>
      <div role="tree" aria-label={words.tree} className={styles['tree']}>
        {rows.map((row) => {
          const { departmentCd: code, displayName: name, memberIds = [] } = row.node;
          const own = memberIds.length;
          const inside = headCount(row.node);
          return (
            <div
              key={code}
              role="treeitem"
              {...rowAttributes(row)}
              tabIndex={tabIndexOf(row)}
              aria-selected={code === selected}
              data-carried={code === carried?.code || undefined}
              data-dragged={code === dragged?.code || undefined}
              data-drop={dragged?.over?.code === code ? dragged.over.spot : undefined}
              className={styles['item']}
              draggable={renaming !== code && !carried}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                event.dataTransfer.setData('text/plain', name);
                reach(code);
                setDragged({ code });
              }}
              onDragOver={(event) => onDragOver(event, row)}
              onDrop={(event) => onDropHere(event, row)}
              onDragEnd={() => setDragged(undefined)}
              onClick={() => {
                reach(code);
                if (!carried) onSelect(code);
              }}
              onKeyDown={(event) => onKeyDown(event, row)}
            >
              <span className={styles['row']}>
                <TreeMarker expanded={row.expanded} words={words} onToggle={() => toggle(code)} />
                {renaming === code ? (
                  <RenameField
                    tree={tree}
                    code={code}
                    name={name}
                    onClose={() => {
                      onRename(undefined);
                      focus(code);
                    }}
                    onRenamed={(renamed) => {
                      focus(code);
                      onRenamed(renamed);
                    }}
                  />
                ) : (
                  <>
                    <span className={classes(styles['name'], row.expanded !== undefined && styles['parent'])}>{name}</span>
                    <span className={styles['count']} title={words.countSaid(own, inside)}>
                      <span aria-hidden>{words.count(own, inside)}</span>
                      <span className={styles['said']}>{words.countSaid(own, inside)}</span>
                    </span>
                    {/* A press on the menu must not select the row. */}
                    <span role="presentation" className={styles['menu']} onClick={(event) => event.stopPropagation()}>
                      <RowMenu name={all.actionsFor(name)} itemsOf={() => actionsFor(row.node)} />
                    </span>
                  </>
                )}
              </span>
            </div>
          );
        })}
      </div>
      <output className={styles['said']}>{said}</output>
    </>
  );
}

/** The upper quarter of a row means before it, the lower quarter after it. */
function spotIn({ currentTarget, clientY }: DragEvent<HTMLElement>): Spot {
  const { top, height } = currentTarget.getBoundingClientRect();
  const at = (clientY - top) / height;
  if (at < 0.25) return 'before';
  return at > 0.75 ? 'after' : 'inside';
}
