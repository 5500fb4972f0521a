import { useEffect } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import { useCommands } from '../../../hooks/model.ts';
import { readDepartments } from '../calls.ts';
import { selectDepartments } from '../../../model/people/selectors.ts';
import { useAsked, type Asked } from '../useAsked.ts';

/** As it is at the server now: asked by whoever has changed it, and again when the model hears that somebody else has. */
export function useDepartmentTree(): Asked<readonly DepartmentNode[]> {
  const model = useCommands();
  const asked = useAsked<readonly DepartmentNode[]>(readDepartments);
  const { reload } = asked;
  useEffect(() => model.watch(selectDepartments, reload), [model, reload]);
  return asked;
}
