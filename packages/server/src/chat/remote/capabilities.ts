import type { Capability } from '@engawa/protocol/product';

/** Zulip 8.0. */
export const leastFeatureLevel = 218;

/** Abilities of newer versions of Zulip, with the feature level in which each began. */
const byFeatureLevel: Readonly<Partial<Record<Capability, number>>> = { edit_guard: 379 };

const names: readonly Capability[] = ['edit_guard'];

export function capabilitiesAt(featureLevel: number): readonly Capability[] {
  return names.filter((name) => featureLevel >= (byFeatureLevel[name] ?? Infinity));
}
