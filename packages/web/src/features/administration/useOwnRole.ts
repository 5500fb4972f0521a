import { selectMember } from '../../model/people/memberView.ts';
import { selectMe } from '../../model/people/selectors.ts';
import { useModel } from '../../hooks/model.ts';

export function useOwnRole(): 'owner' | 'administrator' | 'member' | undefined {
  return useModel(selectMember, useModel(selectMe)?.userId ?? 0)?.standing;
}

export function useIsOwner(): boolean {
  return useOwnRole() === 'owner';
}
