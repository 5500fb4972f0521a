import { useEffect } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import { useCommands } from '../../../hooks/model.ts';
import { readDepartments } from '../calls.ts';
import { selectDepartments } from '../../../model/people/selectors.ts';
import { useQuery, type Query } from '../../../hooks/query.ts';

/** The tree on the server. It is read again after own changes, and when the model receives a change of another member. */
export function useDepartmentTree(): Query<readonly DepartmentNode[]> {
  const model = useCommands();
  const asked = useQuery<readonly DepartmentNode[]>(readDepartments);
  const { reload } = asked;
  useEffect(() => model.watch(selectDepartments, reload), [model, reload]);
  return asked;
}
