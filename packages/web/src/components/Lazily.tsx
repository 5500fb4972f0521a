import type { ReactNode } from 'react';
import { usePart, type OnDemand } from './onDemand.ts';

/** What is fetched when it is first shown; where that fails, nothing else breaks. */
export function Lazily<Part>({
  part,
  onFail,
  needed,
  children,
}: {
  readonly part: OnDemand<Part>;
  readonly onFail: () => void;
  readonly needed?: boolean;
  readonly children: (part: Part) => ReactNode;
}) {
  const there = usePart(part, onFail, needed);
  return there && children(there);
}
