/** Which words from the product stand on the screen together. */

const most = 3;

/**
 * The one that came last is shown in any case. What only says something takes the place of what did so before; what
 * offers an action stays, for nothing else brings it back, until there are too many of them.
 */
export function stacked<Toast extends { readonly action?: unknown }>(shown: readonly Toast[], next: Toast): readonly Toast[] {
  const offers = shown.filter(({ action }) => action !== undefined);
  if (next.action === undefined) return [...offers.slice(1 - most), next];
  const said = shown.filter(({ action }) => action === undefined);
  const kept = offers.slice(1 - most + said.length);
  return [...shown.filter((each) => said.includes(each) || kept.includes(each)), next];
}
