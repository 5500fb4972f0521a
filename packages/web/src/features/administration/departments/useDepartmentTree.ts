import { useEffect } from 'react';
import type { DepartmentNode } from '@engawa/protocol/product';
import { useModel } from '../../../hooks/model.ts';
import { readDepartments } from '../calls.ts';
import { useAsked, type Asked } from '../useAsked.ts';

/** As it is at the server now: asked by whoever has changed it, and again when the model hears that somebody else has. */
export function useDepartmentTree(): Asked<readonly DepartmentNode[]> {
  const model = useModel();
  const asked = useAsked<readonly DepartmentNode[]>(readDepartments);
  const { reload } = asked;
  useEffect(() => model.subscribe('departments', reload), [model, reload]);
  return asked;
}
