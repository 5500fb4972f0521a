/** Predicts what the member may do with a stream. Pure functions; the server decides (decision 21). */
import type { Capability } from '@engawa/protocol/product';
import { departmentsWithin, type DepartmentNode } from '@engawa/protocol/product';
import type { Me } from '../people/selectors.ts';

export type StreamAct = 'rename' | 'describe' | 'picture' | 'invite' | 'remove' | 'leave' | 'archive' | 'delete';

/**
 * `manager`: only the creator and administrators may. `bound`: the stream stands for a department. `belongs`: the user belongs
 * to that department. `guest`: guests may not. `server`: the server does not support it.
 */
export type WhyNot = 'manager' | 'bound' | 'belongs' | 'guest' | 'server';

export interface StreamActInput {
  readonly stream: { readonly streamId: number; readonly creatorId: number | undefined };
  readonly me: Me | undefined;
  readonly departments: readonly DepartmentNode[];
  readonly capabilities: readonly Capability[];
}

export function whyNot(act: StreamAct, { stream, me, departments, capabilities }: StreamActInput): WhyNot | undefined {
  const bound = boundTo(departments, stream.streamId);
  const isMaker = me !== undefined && me.userId === stream.creatorId && !me.isGuest && capabilities.includes('creator_rights');
  const manager = me?.isAdministrator || isMaker ? undefined : 'manager';
  switch (act) {
    case 'rename':
    case 'delete':
      return bound.length > 0 ? 'bound' : manager;
    case 'describe':
    case 'remove':
      return manager;
    case 'picture':
      return capabilities.includes('stream_pictures') ? manager : 'server';
    case 'invite':
      return me?.isGuest ? 'guest' : undefined;
    case 'leave':
      return me && belongs(bound, me.userId) ? 'belongs' : undefined;
    case 'archive':
      return capabilities.includes('put_away') ? undefined : 'server';
  }
}

/** Whether a user belongs to the department of a stream, or to one below it, and therefore stays in the stream. */
export function staysIn(departments: readonly DepartmentNode[], streamId: number, userId: number): boolean {
  return belongs(boundTo(departments, streamId), userId);
}

function belongs(bound: readonly DepartmentNode[], userId: number): boolean {
  return bound.flatMap(departmentsWithin).some(({ memberIds = [] }) => memberIds.includes(userId));
}

function boundTo(departments: readonly DepartmentNode[], streamId: number): readonly DepartmentNode[] {
  return departments.flatMap((node) => [
    ...(node.streamId === streamId ? [node] : []),
    ...boundTo(node.children ?? [], streamId),
  ]);
}
