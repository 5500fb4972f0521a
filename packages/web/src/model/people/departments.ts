import { departmentTree, paths, type DepartmentNode } from '@engawa/protocol/product';
import { askProduct, type AskingProduct } from '../connection/productCall.ts';

/** R7.1. @throws as `askProduct`. */
export async function fetchDepartments(asking: AskingProduct): Promise<readonly DepartmentNode[]> {
  return (await askProduct(asking, { method: 'GET', path: paths.departmentTree, answer: departmentTree })).answer;
}
