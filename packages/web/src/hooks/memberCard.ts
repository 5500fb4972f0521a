/** Who somebody is, from wherever their face or name stands. The card is a feature of its own; the app puts it here. */
import { createContext, use } from 'react';

export interface MemberCardSlot {
  /** Fetches what opening will need. */
  preload(): void;
  /** Beside the element that was pressed. */
  open(userId: number, from: Element): void;
}

const Context = createContext<MemberCardSlot>({ preload: () => undefined, open: () => undefined });

export const MemberCardProvider = Context;

export function useMemberCard(): MemberCardSlot {
  return use(Context);
}
