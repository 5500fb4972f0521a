import { useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import { classes } from '../../components/classes.ts';
import { ChevronDown } from '../../components/icons.ts';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { MentionCount, UnreadCount } from '../../components/UnreadCount.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './DepartmentTree.module.css';
import { moveOn, streamsInside, typeAhead, visibleRows, type TreeRow } from '../../components/treeRows.ts';
import { selectCurrent } from '../../model/timeline/state.ts';
import { selectMentionsIn, selectStream, selectUnreadIn } from '../../model/conversations/selectors.ts';
import { selectStreamOf } from '../../model/streams/departmentStream.ts';
import { useModel } from '../../hooks/model.ts';

const typeAheadPause = 600;

/**
 * A `tree` by the WAI-ARIA pattern: one row is in the tab order, arrows move and fold, letters find, Enter opens. The
 * rows are siblings that say their level; the lines that join them are drawn by each row for its ancestors.
 */
export function DepartmentTree({
  departments,
  onOpen,
}: {
  readonly departments: readonly DepartmentNode[];
  readonly onOpen: (department: DepartmentNode) => void;
}) {
  const words = useWords().organisation;
  const current = useModel(selectCurrent);
  const streamOf = useModel(selectStreamOf);
  const tree = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [reached, setReached] = useState<string>();

  const rows = visibleRows(departments, folded);
  const inTabOrder = rows.find(({ node }) => node.departmentCd === reached) ?? rows[0];

  const focus = (code: string) => {
    setReached(code);
    tree.current?.querySelector<HTMLElement>(`[data-code="${CSS.escape(code)}"]`)?.focus();
  };

  const toggle = (code: string) => {
    const next = new Set(folded);
    if (!next.delete(code)) next.add(code);
    setFolded(next);
  };

  const onKeyDown = (event: KeyboardEvent, { node }: TreeRow) => {
    if (isForInputMethod(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const code = node.departmentCd;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen(node);
      return;
    }
    if (event.key.length === 1) {
      const now = event.timeStamp;
      const text = now - typed.current.at < typeAheadPause ? typed.current.text + event.key : event.key;
      typed.current = { text, at: now };
      const found = typeAhead(text, rows, code);
      if (found !== undefined) focus(found);
      return;
    }
    const move = moveOn(event.key, rows, code);
    if (!move) return;
    event.preventDefault();
    if (move.kind === 'focus') focus(move.code);
    else toggle(move.code);
  };

  return (
    <div ref={tree} role="tree" aria-label={words.tree} className={styles['tree']}>
      {rows.map((row) => {
        const streamId = streamOf(row.node);
        return (
          <div
            key={row.node.departmentCd}
            role="treeitem"
            aria-level={row.level}
            aria-posinset={row.position}
            aria-setsize={row.siblings}
            aria-expanded={row.expanded}
            aria-selected={streamId !== undefined && streamId === current}
            data-code={row.node.departmentCd}
            tabIndex={row === inTabOrder ? 0 : -1}
            className={styles['item']}
            style={levelStyle(row.level)}
            onClick={() => {
              setReached(row.node.departmentCd);
              onOpen(row.node);
            }}
            onKeyDown={(event) => onKeyDown(event, row)}
          >
            <span className={classes(styles['row'], streamId === undefined && styles['closed'])}>
              {row.expanded === undefined ? (
                <span className={styles['dot']} aria-hidden />
              ) : (
                <Chevron expanded={row.expanded} onToggle={() => toggle(row.node.departmentCd)} />
              )}
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

function levelStyle(level: number): CSSProperties {
  const style: CSSProperties & Record<'--level', number> = { '--level': level - 1 };
  return style;
}

/** For the pointer; the keyboard folds with the arrow keys, and `aria-expanded` says it. */
function Chevron({ expanded, onToggle }: { readonly expanded: boolean; readonly onToggle: () => void }) {
  const words = useWords().organisation;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      title={expanded ? words.fold : words.unfold}
      className={classes(styles['chevron'], !expanded && styles['folded'])}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <ChevronDown aria-hidden size={16} strokeWidth={1.9} />
    </button>
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

/** A folded department shows what is unread in it and below it. */
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
