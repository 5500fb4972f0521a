import type { ModelContext } from '../context.ts';
import { onDemand } from '../onDemand.ts';
import type { Groups } from './groups.ts';
import type { StreamsState } from './state.ts';
import type { StreamChanges } from './streamChanges.ts';

export type StreamCommands = Groups & StreamChanges;

export function createStreamCommands(context: ModelContext<StreamsState>): StreamCommands {
  const groups = onDemand(
    context,
    () => import('./groups.ts'),
    ({ createGroups }) => createGroups(context),
  );
  const changes = onDemand(
    context,
    () => import('./streamChanges.ts'),
    ({ createStreamChanges }) => createStreamChanges(context),
  );
  return {
    createGroup: (...input) => groups.use((there) => there.createGroup(...input)),
    changeStream: (...input) => changes.use((there) => there.changeStream(...input)),
  };
}
