import { lazyInBackground } from '../components/lazyComponent.tsx';
import type { CallsProps } from '../features/calls/Calls.tsx';
import { useModel } from '../hooks/model.ts';
import { selectMissedCalls, selectRinging } from '../model/calls/selectors.ts';
import { selectCallElsewhere, selectOwnCall } from '../model/calls/state.ts';
import type { State } from '../model/state.ts';

const Calls = lazyInBackground(async () => (await import('../features/calls/Calls.tsx')).Calls, 2000);

/** Shows the screens of calls while a call concerns the member. Their code is loaded with the others, after the first screen. */
export function CallOpener(props: CallsProps) {
  return useModel(selectConcerns) && <Calls {...props} />;
}

function selectConcerns(state: State): boolean {
  const calls = [selectOwnCall(state), selectRinging(state), selectCallElsewhere(state), ...selectMissedCalls(state)];
  return calls.some((call) => call !== undefined);
}
