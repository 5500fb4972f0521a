import { createContext, use, useState } from 'react';

export const ListIsShown = createContext(true);

/**
 * The menu or dialog that is open in a list of messages. It closes when the list is hidden. A hidden list opens nothing: code that was
 * loading may arrive, and a long press may end.
 */
export function useOpened<Opened>(): readonly [Opened | undefined, (opened: Opened | undefined) => void] {
  const isShown = use(ListIsShown);
  const [opened, setOpened] = useState<Opened>();
  if (!isShown && opened !== undefined) setOpened(undefined);
  return [isShown ? opened : undefined, setOpened];
}
