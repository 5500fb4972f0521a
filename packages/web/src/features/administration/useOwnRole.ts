import { selectMe, selectMember } from '../../model/people/selectors.ts';
import { useModel } from '../../hooks/model.ts';

/** Of who looks at the page; undefined until the server has told of the members. */
export function useOwnRole(): 'owner' | 'administrator' | 'member' | undefined {
  return useModel(selectMember, useModel(selectMe)?.userId ?? 0)?.standing;
}

/** Only owners do anything to owners. */
export function useIsOwner(): boolean {
  return useOwnRole() === 'owner';
}
