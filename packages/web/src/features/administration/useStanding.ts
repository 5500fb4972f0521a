import { useMe, useMember } from '../../hooks/model.ts';

/** Of who looks at the page; undefined until the server has told of the members. */
export function useStanding(): 'owner' | 'administrator' | 'member' | undefined {
  return useMember(useMe()?.userId ?? 0)?.standing;
}

/** Only owners do anything to owners. */
export function useIsOwner(): boolean {
  return useStanding() === 'owner';
}
