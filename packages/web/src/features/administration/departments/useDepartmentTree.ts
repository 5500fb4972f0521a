import { useEffect } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import { useCommands } from '../../../hooks/model.ts';
import { readDepartments } from '../calls.ts';
import { selectDepartments } from '../../../model/people/selectors.ts';
import { useQuery, type Query } from '../useQuery.ts';

/** As it is at the server now: asked by whoever has changed it, and again when the model hears that somebody else has. */
export function useDepartmentTree(): Query<readonly DepartmentNode[]> {
  const model = useCommands();
  const asked = useQuery<readonly DepartmentNode[]>(readDepartments);
  const { reload } = asked;
  useEffect(() => model.watch(selectDepartments, reload), [model, reload]);
  return asked;
}
