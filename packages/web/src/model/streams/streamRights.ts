/** Predicts what the member may do with a stream. Pure functions; the server decides (decision 21). */
import type { Capability } from '@engawa/protocol/product';
import { departmentsWithin, type DepartmentNode } from '@engawa/protocol/product';
import type { Me } from '../people/selectors.ts';

export type StreamAct = 'rename' | 'describe' | 'picture' | 'invite' | 'remove' | 'leave' | 'archive' | 'delete';

/**
 * `manager`: only the creator and administrators may. `administrator`: only administrators may. `bound`: the stream stands for a department. `belongs`: the user belongs
 * to that department. `guest`: guests may not. `server`: the server does not support it.
 */
export type WhyNot = 'manager' | 'administrator' | 'bound' | 'belongs' | 'guest' | 'server';

interface NamedStream {
  readonly streamId: number;
  readonly name: string;
}

export interface StreamActInput {
  readonly stream: NamedStream & { readonly creatorId: number | undefined };
  readonly me: Me | undefined;
  readonly departments: readonly DepartmentNode[];
  readonly capabilities: readonly Capability[];
}

export function whyNot(act: StreamAct, { stream, me, departments, capabilities }: StreamActInput): WhyNot | undefined {
  const mayCreators = capabilities.includes('creator_rights');
  const isMaker = me !== undefined && me.userId === stream.creatorId && !me.isGuest && mayCreators;
  const manager = me?.isAdministrator || isMaker ? undefined : mayCreators ? 'manager' : 'administrator';
  switch (act) {
    case 'rename':
    case 'delete':
      return boundTo(departments, hasStream(stream)).length > 0 ? 'bound' : manager;
    case 'describe':
    case 'remove':
      return manager;
    case 'picture':
      return capabilities.includes('stream_pictures') ? manager : 'server';
    case 'invite':
      return me?.isGuest ? 'guest' : undefined;
    case 'leave':
      return me && staysIn(departments, stream, me.userId) ? 'belongs' : undefined;
    case 'archive':
      return capabilities.includes('put_away') ? undefined : 'server';
  }
}

/** Whether a user belongs to the department of a stream, or to one below it, and therefore stays in the stream. */
export function staysIn(departments: readonly DepartmentNode[], stream: NamedStream, userId: number): boolean {
  return belongs(boundTo(departments, opens(stream)), userId);
}

function belongs(bound: readonly DepartmentNode[], userId: number): boolean {
  return bound.flatMap(departmentsWithin).some(({ memberIds = [] }) => memberIds.includes(userId));
}

type Bound = (department: DepartmentNode) => boolean;

const hasStream =
  ({ streamId }: NamedStream): Bound =>
  (department) =>
    department.streamId === streamId;

/** A department without the id of its stream opens the stream of its name, so its members stay in that one as well. */
const opens =
  (stream: NamedStream): Bound =>
  (department) =>
    department.streamId === undefined ? department.displayName === stream.name : hasStream(stream)(department);

function boundTo(departments: readonly DepartmentNode[], isBound: Bound): readonly DepartmentNode[] {
  return departments.flatMap((node) => [...(isBound(node) ? [node] : []), ...boundTo(node.children ?? [], isBound)]);
}
