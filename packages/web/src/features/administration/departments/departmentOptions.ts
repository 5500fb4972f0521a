import type { DepartmentNode } from '@engawa/protocol/product';
import { located } from './departmentModel.ts';
import type { DepartmentOption } from './DepartmentPicker.tsx';

export function departmentOptions(tree: readonly DepartmentNode[]): readonly (DepartmentOption & { readonly code: string })[] {
  return located(tree).map(({ node: { departmentCd: code, displayName: name }, path }) => ({
    code,
    name,
    above: path
      .slice(0, -1)
      .map(({ displayName }) => displayName)
      .join(' › '),
  }));
}
