import { exchange, MalformedAnswerError, readReply, type Connection } from '@engawa/client';
import { departmentTree, paths, type DepartmentNode } from '@engawa/protocol/product';
import type { Environment } from '../environment.ts';

const timeoutMilliseconds = 30_000;

/**
 * R7.1
 * @throws CallError, as a call of the chat API does; the signal's reason when it was given up.
 */
export async function fetchDepartments(
  { site, fetch, clock }: Environment,
  { headers }: Connection,
  signal: AbortSignal,
): Promise<readonly DepartmentNode[]> {
  const call = `GET ${paths.departmentTree}`;
  const url = site + paths.departmentTree;
  const init = { credentials: 'same-origin', headers } as const;
  const reply = await exchange({ call, url, init, fetch, clock, timeoutMilliseconds, signal });
  const tree = departmentTree.safeParse(readReply(reply));
  if (tree.success) return tree.data;
  throw new MalformedAnswerError(reply.status, `${call}: the answer is not a tree of departments`, tree.error);
}
