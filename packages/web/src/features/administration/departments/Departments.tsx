import { useState } from 'react';
import { maxDepartmentDepth } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { Button } from '../../../components/primitives/Button.tsx';
import { classes } from '../../../components/classes.ts';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { Icon, Plus } from '../../../components/icons.ts';
import { EmptyState, FailureState, Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useNarrow } from '../../../hooks/media.ts';
import { useCommands } from '../../../hooks/model.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { changeDepartment } from '../calls.ts';
import { DepartmentDetails } from './DepartmentDetails.tsx';
import { departmentActions } from './departmentActions.ts';
import { DepartmentDialog, type OpenDepartmentDialog } from './DepartmentDialogs.tsx';
import { DepartmentEditor } from './DepartmentEditor.tsx';
import { find, moved, streamChanges, type DepartmentMove } from './departmentModel.ts';
import styles from './Departments.module.css';
import list from '../List.module.css';
import { Section } from '../Section.tsx';
import { useDepartmentTree } from './useDepartmentTree.ts';
import { useRefusalText } from '../useRefusalText.ts';

export function Departments({ backAddress }: { readonly backAddress: string | undefined }) {
  const all = useWords();
  const words = useAdministrationWords();
  const refusal = useRefusalText();
  const toast = useToast();
  const narrow = useNarrow();
  const { answer: tree, failure, reload } = useDepartmentTree();
  const [open, setOpen] = useState<OpenDepartmentDialog>();
  const [selected, setSelected] = useState<string>();
  const [renaming, setRenaming] = useState<string>();
  const chosen = tree && selected !== undefined ? find(tree, selected) : undefined;

  const changed = (text: string) => {
    toast({ text, tone: 'note' });
    // Keeps another dialog open that the member opened before the answer arrived.
    setOpen((now) => (now === open ? undefined : now));
    setMove((now) => (now === move ? undefined : now));
    setRenaming((now) => (now === renaming ? undefined : now));
    reload();
  };
  const { move, setMove, drop } = useDepartmentMove(tree, { reload, onConfirm: setOpen, onMoved: changed });

  const details = tree && chosen && (
    <DepartmentDetails key={chosen.node.departmentCd} tree={tree} department={chosen} onChanged={changed} />
  );

  return (
    <Section
      section="departments"
      backAddress={backAddress}
      action={
        <Button
          variant="primary"
          size="medium"
          className={list['add']}
          onClick={() => setOpen({ kind: 'add', how: 'below', at: undefined })}
        >
          <Icon of={Plus} size={18} strokeWidth={1.9} />
          {words.posts.add}
        </Button>
      }
    >
      {!tree && !failure && <Skeleton rows={8} label={all.loading} />}
      {failure && <FailureState text={refusal(failure)} again={all.again} onAgain={reload} />}
      {tree?.length === 0 && <EmptyState heading={words.departments.none}>{words.departments.noneAdvice}</EmptyState>}
      {tree && tree.length > 0 && (
        <div className={classes(styles['columns'], narrow && styles['single'])}>
          <div>
            <p className={styles['help']}>{narrow ? words.departments.helpNarrow : words.departments.help}</p>
            <DepartmentEditor
              tree={tree}
              selected={chosen?.node.departmentCd}
              renaming={renaming}
              move={move}
              actionsFor={(node) =>
                departmentActions({ tree, node, all: words, onOpen: setOpen, onRename: setRenaming, onSelect: setSelected })
              }
              onSelect={setSelected}
              onRename={setRenaming}
              onRenamed={(name) => changed(words.departments.renamed(name))}
              onMove={setMove}
              onDrop={(dropped) => void drop(dropped)}
            />
          </div>
          {!narrow && (details ?? <p className={styles['choose']}>{words.departments.choose}</p>)}
        </div>
      )}
      {narrow && details && (
        <Dialog heading={chosen.node.displayName} wide onClose={() => setSelected(undefined)}>
          <div className={styles['sheet']}>{details}</div>
        </Dialog>
      )}
      {open && (
        <DepartmentDialog
          tree={tree ?? []}
          open={open}
          onClose={() => {
            setOpen(undefined);
            setMove(undefined);
          }}
          onChanged={changed}
        />
      )}
    </Section>
  );
}

/** A dropped department is shown at its new place until the server answers. A drop that changes streams asks first. */
function useDepartmentMove(
  tree: readonly DepartmentNode[] | undefined,
  {
    reload,
    onConfirm,
    onMoved,
  }: {
    readonly reload: () => void;
    readonly onConfirm: (dialog: OpenDepartmentDialog) => void;
    readonly onMoved: (text: string) => void;
  },
) {
  const words = useAdministrationWords().departments;
  const refusal = useRefusalText();
  const toast = useToast();
  const model = useCommands();
  const [move, setMove] = useState<DepartmentMove>();

  const drop = async (dropped: DepartmentMove) => {
    const node = tree && find(tree, dropped.code)?.node;
    const after = tree && moved(tree, dropped.code, dropped.place, maxDepartmentDepth);
    if (!node || !after) return;
    setMove(dropped);
    if (streamChanges(tree, after).length > 0) {
      onConfirm({ kind: 'confirm', move: dropped });
      return;
    }
    const answered = await model.ask(changeDepartment(dropped.code, dropped.place));
    setMove((now) => (now === dropped ? undefined : now));
    if ('answer' in answered) {
      onMoved(words.moved(node.displayName));
      return;
    }
    toast({ text: refusal(answered), tone: 'alert' });
    reload();
  };
  return { move, setMove, drop };
}
