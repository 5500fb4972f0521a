import type { Capability } from '@engawa/protocol/product';

/** Zulip 8.0. */
export const leastFeatureLevel = 218;

/** What newer versions of Zulip can do, by the feature level that began it. */
const byFeatureLevel: Readonly<Partial<Record<Capability, number>>> = { edit_guard: 379 };

const names: readonly Capability[] = ['edit_guard'];

export function capabilitiesAt(featureLevel: number): readonly Capability[] {
  return names.filter((name) => featureLevel >= (byFeatureLevel[name] ?? Infinity));
}
