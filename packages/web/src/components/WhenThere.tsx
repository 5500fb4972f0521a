import { useState, type ReactNode } from 'react';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { usePart, type OnDemand } from './onDemand.ts';
import { FailureState, Skeleton } from './primitives/EmptyState.tsx';

interface WhenThereProps<Part> {
  readonly part: OnDemand<Part>;
  readonly children: (part: Part) => ReactNode;
}

/** A panel that is fetched when it is first needed; where it cannot be had, it says so and can be asked for again. */
export function WhenThere<Part>(props: WhenThereProps<Part>) {
  const words = useWords();
  const [failed, setFailed] = useState(false);
  // It is mounted anew, and so asked for anew.
  if (!failed) return <Fetched {...props} onFail={() => setFailed(true)} />;
  return <FailureState text={words.notLoaded} again={words.again} onAgain={() => setFailed(false)} />;
}

function Fetched<Part>({ part, onFail, children }: WhenThereProps<Part> & { readonly onFail: () => void }) {
  const words = useWords();
  const there = usePart(part, onFail);
  return there ? children(there) : <Skeleton rows={6} label={words.loading} />;
}
