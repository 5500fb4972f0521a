import { useCommands } from './model.ts';
import { useCallsWords } from '../i18n/calls.ts';
import { selectName } from '../model/people/selectors.ts';

/** The name of a participant. A guest may not see every participant by name. */
export function useCallNames(): (userId: number) => string {
  const model = useCommands();
  const { someone } = useCallsWords();
  return (userId) => selectName(model.state(), userId) ?? someone;
}
