import { useMe, useMember } from '../../hooks/model.ts';

/** Whether who looks at the page is an owner: only owners do anything to owners. */
export function useIsOwner(): boolean {
  return useMember(useMe()?.userId ?? 0)?.standing === 'owner';
}
