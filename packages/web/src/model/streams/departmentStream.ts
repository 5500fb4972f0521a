import type { Subscription } from '@engawa/protocol';
import type { DepartmentNode } from '@engawa/protocol/product';
import { memoise } from '../memoise.ts';
import type { StreamsState } from './state.ts';

/** R2.5: returns the stream of a department if the member may read it. */
export const selectStreamOf = ({ subscriptions }: StreamsState) => streamFinder(subscriptions);

const streamFinder = memoise(
  (subscriptions: StreamsState['subscriptions']) => (department: DepartmentNode) =>
    streamOfDepartment(department, subscriptions ?? new Map()),
);

/** The stream id decides first, because two departments may have the same name. */
function streamOfDepartment(
  { streamId, displayName }: DepartmentNode,
  subscriptions: ReadonlyMap<number, Subscription>,
): number | undefined {
  if (streamId !== undefined) return subscriptions.get(streamId)?.stream_id;
  return subscriptions.values().find(({ name }) => name === displayName)?.stream_id;
}
