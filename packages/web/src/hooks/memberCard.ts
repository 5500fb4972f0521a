/** Opens a member's card from any avatar or name. The app supplies it, because hooks do not import features. */
import { createContext, use } from 'react';

export interface MemberCardSlot {
  preload(): void;
  open(userId: number, from: Element): void;
}

const Context = createContext<MemberCardSlot>({ preload: () => undefined, open: () => undefined });

export const MemberCardProvider = Context;

export function useMemberCard(): MemberCardSlot {
  return use(Context);
}
