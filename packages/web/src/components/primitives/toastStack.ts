/** The toasts that are visible at the same time. */

const most = 3;

/**
 * Adds a toast. A toast without an action replaces earlier ones without an action. A toast with an action stays, because nothing
 * else offers the action, until there are more than `most`.
 */
export function stacked<Toast extends { readonly action?: unknown }>(shown: readonly Toast[], next: Toast): readonly Toast[] {
  const offers = shown.filter(({ action }) => action !== undefined);
  if (next.action === undefined) return [...offers.slice(1 - most), next];
  const said = shown.filter(({ action }) => action === undefined);
  const kept = offers.slice(1 - most + said.length);
  return [...shown.filter((each) => said.includes(each) || kept.includes(each)), next];
}
