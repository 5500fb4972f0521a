import type { KeyboardEvent } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import { classes } from '../../components/classes.ts';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { MentionCount, UnreadCount } from '../../components/UnreadCount.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './DepartmentTree.module.css';
import { selectCurrent } from '../../model/timeline/state.ts';
import { selectMentionsIn, selectStream, selectUnreadIn } from '../../model/conversations/selectors.ts';
import { selectStreamOf } from '../../model/streams/departmentStream.ts';
import { useModel } from '../../hooks/model.ts';
import { streamsInside, type TreeRow } from '../../components/departmentTree.ts';
import { TreeMarker } from '../../components/TreeMarker.tsx';
import { useDepartmentTree } from '../../components/useDepartmentTree.ts';

interface DepartmentTreeProps {
  readonly departments: readonly DepartmentNode[];
  readonly onOpen: (department: DepartmentNode) => void;
}

/** The departments as a tree. Enter opens a department. Each row draws the lines to its ancestors. */
export function DepartmentTree({ departments, onOpen }: DepartmentTreeProps) {
  const words = useWords().organisation;
  const current = useModel(selectCurrent);
  const streamOf = useModel(selectStreamOf);
  const isChosen = (node: DepartmentNode) => current !== undefined && streamOf(node) === current;
  const tree = useDepartmentTree(departments, isChosen);

  const onKeyDown = (event: KeyboardEvent, { node }: TreeRow) => {
    if (isForInputMethod(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen(node);
      return;
    }
    tree.move(event, node.departmentCd);
  };

  return (
    <div
      role="tree"
      aria-label={words.tree}
      className={styles['tree']}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || tree.reach(undefined)}
    >
      {tree.rows.map((row) => {
        const streamId = streamOf(row.node);
        return (
          <div
            key={row.node.departmentCd}
            role="treeitem"
            {...tree.row(row)}
            tabIndex={tree.tabIndexOf(row)}
            aria-selected={isChosen(row.node)}
            className={styles['item']}
            onClick={() => {
              tree.reach(row.node.departmentCd);
              onOpen(row.node);
            }}
            onKeyDown={(event) => onKeyDown(event, row)}
          >
            <span className={classes(styles['row'], streamId === undefined && styles['closed'])}>
              <TreeMarker expanded={row.expanded} words={words} onToggle={() => tree.toggle(row.node.departmentCd)} />
              <span className={classes(styles['name'], row.expanded !== undefined && styles['parent'])}>
                {row.node.displayName}
              </span>
              {row.expanded === false ? (
                <UnreadInside streamIds={streamsInside(row.node, streamOf)} />
              ) : (
                streamId !== undefined && <Unread streamId={streamId} />
              )}
            </span>
          </div>
        );
      })}
    </div>
  );
}

function Unread({ streamId }: { readonly streamId: number }) {
  const { unReadCount = 0, mentionCount = 0, status } = useModel(selectStream, streamId) ?? {};
  if (unReadCount === 0) return null;
  return (
    <>
      <MentionCount count={mentionCount} />
      <UnreadCount count={unReadCount} muted={status === 'muted'} />
    </>
  );
}

/** A folded department counts the unread messages of its descendants too. */
function UnreadInside({ streamIds }: { readonly streamIds: readonly number[] }) {
  const count = useModel(selectUnreadIn, streamIds);
  const mentions = useModel(selectMentionsIn, streamIds);
  return (
    <>
      <MentionCount count={mentions} />
      {count > 0 && <UnreadCount count={count} muted={false} />}
    </>
  );
}
