import type { DepartmentNode } from '@engawa/protocol/product';
import { classes } from '../../../components/classes.ts';
import type { TreeRow } from '../../../components/departmentTree.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import { TreeMarker } from '../../../components/TreeMarker.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { RowMenu } from '../RowMenu.tsx';
import { VisuallyHidden } from '../../../components/primitives/VisuallyHidden.tsx';
import styles from './DepartmentEditor.module.css';
import { headCount } from './departmentModel.ts';
import { RenameField } from './RenameField.tsx';

export function DepartmentRow({
  tree,
  row: { node, expanded },
  isRenaming,
  actionsFor,
  onToggle,
  onClose,
  onRenamed,
}: {
  readonly tree: readonly DepartmentNode[];
  readonly row: TreeRow;
  readonly isRenaming: boolean;
  readonly actionsFor: (node: DepartmentNode) => readonly MenuItem[];
  readonly onToggle: () => void;
  readonly onClose: () => void;
  readonly onRenamed: (name: string) => void;
}) {
  const all = useAdministrationWords();
  const words = all.departments;
  const { departmentCd: code, displayName: name, memberIds = [] } = node;
  const own = memberIds.length;
  const inside = headCount(node);
  return (
    <span className={styles['row']}>
      <TreeMarker expanded={expanded} words={words} onToggle={onToggle} />
      {isRenaming ? (
        <RenameField tree={tree} code={code} name={name} onClose={onClose} onRenamed={onRenamed} />
      ) : (
        <>
          <span className={classes(styles['name'], expanded !== undefined && styles['parent'])}>{name}</span>
          <span className={styles['count']} title={words.countSaid(own, inside)}>
            <span aria-hidden>{words.count(own, inside)}</span>
            <VisuallyHidden>{words.countSaid(own, inside)}</VisuallyHidden>
          </span>
          {/* A press on the menu must not select the row. */}
          <span role="presentation" className={styles['menu']} onClick={(event) => event.stopPropagation()}>
            <RowMenu name={all.actionsFor(name)} itemsOf={() => actionsFor(node)} />
          </span>
        </>
      )}
    </span>
  );
}
