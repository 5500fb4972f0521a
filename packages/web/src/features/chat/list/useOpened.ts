import { createContext, use, useState } from 'react';

export const ListIsShown = createContext(true);

/**
 * What is open in a list of messages, such as a menu. It closes when the list is hidden, and nothing opens while it is: the code of a
 * dialog may still be loading, or a long press may not have ended.
 */
export function useOpened<Opened>(): readonly [Opened | undefined, (opened: Opened | undefined) => void] {
  const isShown = use(ListIsShown);
  const [opened, setOpened] = useState<Opened>();
  if (!isShown && opened !== undefined) setOpened(undefined);
  return [isShown ? opened : undefined, setOpened];
}
