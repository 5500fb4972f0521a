/** Opens a member's card from any avatar or name. The app provides the implementation, because the card is a feature. */
import { createContext, use } from 'react';

export interface MemberCardSlot {
  /** Fetches the card's code. */
  preload(): void;
  /** Opens next to the element that was pressed. */
  open(userId: number, from: Element): void;
}

const Context = createContext<MemberCardSlot>({ preload: () => undefined, open: () => undefined });

export const MemberCardProvider = Context;

export function useMemberCard(): MemberCardSlot {
  return use(Context);
}
