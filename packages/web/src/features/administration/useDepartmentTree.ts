import type { DepartmentNode } from '@engawa/protocol/product';
import { useModel } from '../../hooks/model.ts';
import { readDepartments } from './calls.ts';
import { useAsked, type Asked } from './useAsked.ts';

/** As it is at the server now; whoever has changed it says so by `reload`, and the other screens hear of it as well. */
export function useDepartmentTree(): Asked<readonly DepartmentNode[]> {
  const model = useModel();
  const asked = useAsked<readonly DepartmentNode[]>(readDepartments);
  const reload = () => {
    asked.reload();
    model.reloadDepartments();
  };
  return { ...asked, reload };
}
