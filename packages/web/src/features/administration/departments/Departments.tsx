import { useState } from 'react';
import { maxDepartmentDepth } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { Button } from '../../../components/primitives/Button.tsx';
import { classes } from '../../../components/classes.ts';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { CornerDownRight, Pencil, Plus, Trash2, UsersRound } from '../../../components/icons.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import { EmptyState, FailureState, Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useNarrow } from '../../../hooks/media.ts';
import { useCommands } from '../../../hooks/model.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { changeDepartment } from '../calls.ts';
import { DepartmentDetails } from './DepartmentDetails.tsx';
import { AddDepartment, ConfirmMove, DeleteDepartment, MoveDepartment } from './DepartmentDialogs.tsx';
import { DepartmentEditor, type Carried } from './DepartmentEditor.tsx';
import { find, moved, streamChanges } from './departmentModel.ts';
import styles from './Departments.module.css';
import list from '../List.module.css';
import { Section } from '../Section.tsx';
import { useDepartmentTree } from './useDepartmentTree.ts';
import { useRefusalText } from '../useRefusalText.ts';

type Open =
  /** `at` is the parent or the previous sibling. Undefined stands for the end of the top level. */
  | { readonly kind: 'add'; readonly how: 'below' | 'beside'; readonly at: DepartmentNode | undefined }
  | { readonly kind: 'move' | 'delete'; readonly node: DepartmentNode }
  /** A drop that would make members join or leave streams. */
  | { readonly kind: 'confirm'; readonly carried: Carried };

/** The tree of departments and the members of the selected one. */
export function Departments({ backAddress }: { readonly backAddress: string | undefined }) {
  const all = useWords();
  const words = useAdministrationWords().departments;
  const refusal = useRefusalText();
  const toast = useToast();
  const model = useCommands();
  const narrow = useNarrow();
  const { answer: tree, failure, reload } = useDepartmentTree();
  const [open, setOpen] = useState<Open>();
  const [selected, setSelected] = useState<string>();
  const [renaming, setRenaming] = useState<string>();
  const [carried, setCarried] = useState<Carried>();
  const chosen = tree && selected !== undefined ? find(tree, selected) : undefined;

  const close = () => {
    setOpen(undefined);
    setCarried(undefined);
  };
  const changed = (text: string) => {
    toast({ text, tone: 'note' });
    // The member may have opened another dialog before the answer.
    setOpen((now) => (now === open ? undefined : now));
    setCarried((now) => (now === carried ? undefined : now));
    setRenaming((now) => (now === renaming ? undefined : now));
    reload();
  };

  /** Asks for a confirmation if members would join or leave a stream. */
  const drop = async (what: Carried) => {
    const node = tree && find(tree, what.code)?.node;
    const after = tree && moved(tree, what.code, what.place, maxDepartmentDepth);
    if (!node || !after) return;
    setCarried(what);
    if (streamChanges(tree, after).length > 0) {
      setOpen({ kind: 'confirm', carried: what });
      return;
    }
    const answered = await model.ask(changeDepartment(what.code, what.place));
    if ('answer' in answered) {
      setCarried((now) => (now === what ? undefined : now));
      changed(words.moved(node.displayName));
      return;
    }
    toast({ text: refusal(answered), tone: 'alert' });
    setCarried(undefined);
    reload();
  };

  const actionsFor = (node: DepartmentNode): readonly MenuItem[] => {
    const members = node.memberIds?.length ?? 0;
    const isDeep = tree !== undefined && (find(tree, node.departmentCd)?.path.length ?? 0) >= maxDepartmentDepth;
    const whyNotDeleted = members > 0 ? words.notEmptyMembers(members) : undefined;
    return [
      {
        name: words.addBelow,
        icon: CornerDownRight,
        reason: isDeep ? words.tooDeep(maxDepartmentDepth) : undefined,
        run: () => setOpen({ kind: 'add', how: 'below', at: node }),
      },
      { name: words.addBeside, icon: Plus, run: () => setOpen({ kind: 'add', how: 'beside', at: node }) },
      { name: words.rename, icon: Pencil, run: () => setRenaming(node.departmentCd) },
      { name: words.move, icon: CornerDownRight, run: () => setOpen({ kind: 'move', node }) },
      { name: words.members, icon: UsersRound, run: () => setSelected(node.departmentCd) },
      {
        name: words.delete,
        icon: Trash2,
        danger: true,
        reason: node.children?.length ? words.notEmptyBelow : whyNotDeleted,
        run: () => setOpen({ kind: 'delete', node }),
      },
    ];
  };

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
          <Plus aria-hidden size={18} strokeWidth={1.9} />
          {words.addRoot}
        </Button>
      }
    >
      {!tree && !failure && <Skeleton rows={8} label={all.loading} />}
      {failure && <FailureState text={refusal(failure)} again={all.again} onAgain={reload} />}
      {tree?.length === 0 && <EmptyState heading={words.none}>{words.noneAdvice}</EmptyState>}
      {tree && tree.length > 0 && (
        <div className={classes(styles['columns'], narrow && styles['single'])}>
          <div>
            <p className={styles['help']}>{narrow ? words.helpNarrow : words.help}</p>
            <DepartmentEditor
              tree={tree}
              selected={chosen?.node.departmentCd}
              renaming={renaming}
              carried={carried}
              actionsFor={actionsFor}
              onSelect={setSelected}
              onRename={setRenaming}
              onRenamed={(name) => changed(words.renamed(name))}
              onCarry={setCarried}
              onDrop={(what) => void drop(what)}
            />
          </div>
          {!narrow && (details ?? <p className={styles['choose']}>{words.choose}</p>)}
        </div>
      )}
      {narrow && details && (
        <Dialog heading={chosen.node.displayName} wide onClose={() => setSelected(undefined)}>
          <div className={styles['sheet']}>{details}</div>
        </Dialog>
      )}
      {open?.kind === 'add' && (
        <AddDepartment tree={tree ?? []} how={open.how} at={open.at} onClose={close} onChanged={changed} />
      )}
      {open?.kind === 'move' && <MoveDepartment tree={tree ?? []} node={open.node} onClose={close} onChanged={changed} />}
      {open?.kind === 'delete' && <DeleteDepartment node={open.node} onClose={close} onChanged={changed} />}
      {open?.kind === 'confirm' && <ConfirmMove tree={tree ?? []} carried={open.carried} onClose={close} onChanged={changed} />}
    </Section>
  );
}
