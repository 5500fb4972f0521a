import { maxDepartmentDepth } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { CornerDownRight, Pencil, Plus, Trash2, UsersRound } from '../../../components/icons.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import type { useAdministrationWords } from '../../../i18n/administration.ts';
import type { OpenDepartmentDialog } from './DepartmentDialogs.tsx';
import { find } from './departmentModel.ts';

export function departmentActions({
  tree,
  node,
  all,
  onOpen,
  onRename,
  onSelect,
}: {
  readonly tree: readonly DepartmentNode[];
  readonly node: DepartmentNode;
  readonly all: ReturnType<typeof useAdministrationWords>;
  readonly onOpen: (dialog: OpenDepartmentDialog) => void;
  readonly onRename: (code: string) => void;
  readonly onSelect: (code: string) => void;
}): readonly MenuItem[] {
  const words = all.departments;
  const { departmentCd: code } = node;
  const members = node.memberIds?.length ?? 0;
  const isDeep = (find(tree, code)?.path.length ?? 0) >= maxDepartmentDepth;
  const whyNotDeleted = members > 0 ? words.notEmptyMembers(members) : undefined;
  return [
    {
      name: words.addBelow,
      icon: CornerDownRight,
      reason: isDeep ? words.tooDeep(maxDepartmentDepth) : undefined,
      run: () => onOpen({ kind: 'add', how: 'below', at: node }),
    },
    { name: words.addBeside, icon: Plus, run: () => onOpen({ kind: 'add', how: 'beside', at: node }) },
    { name: words.rename, icon: Pencil, run: () => onRename(code) },
    { name: words.move, icon: CornerDownRight, run: () => onOpen({ kind: 'move', node }) },
    { name: words.members, icon: UsersRound, run: () => onSelect(code) },
    {
      name: all.delete,
      icon: Trash2,
      danger: true,
      reason: node.children?.length ? words.notEmptyBelow : whyNotDeleted,
      run: () => onOpen({ kind: 'delete', node }),
    },
  ];
}
