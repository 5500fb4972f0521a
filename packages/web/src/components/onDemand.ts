/** Parts of the screens that are fetched when they are first needed. */
import { useEffect, useEffectEvent, useState } from 'react';

export interface OnDemand<Part> {
  /** Fetches it in time. Should that fail, whoever needs it tries again and says so. */
  preload(): void;
  /** Where it is already, it is there at once. */
  now(): Part | undefined;
  load(): Promise<Part>;
}

export function onDemand<Part>(fetch: () => Promise<Part>): OnDemand<Part> {
  let part: Part | undefined;
  const load = async () => (part ??= await fetch());
  return {
    preload: () => void load().catch(() => undefined),
    now: () => part,
    load,
  };
}

/**
 * Undefined until it is there. `onFail` hears when it cannot be had.
 * @param needed It is not fetched before.
 */
export function usePart<Part>(part: OnDemand<Part>, onFail: () => void, needed = true): Part | undefined {
  const [there, setThere] = useState(() => ({ part: part.now() }));
  const fail = useEffectEvent(onFail);
  useEffect(() => {
    if (there.part || !needed) return undefined;
    let wanted = true;
    part.load().then(
      (loaded) => wanted && setThere({ part: loaded }),
      () => wanted && fail(),
    );
    return () => {
      wanted = false;
    };
  }, [part, there, needed]);
  return there.part;
}
