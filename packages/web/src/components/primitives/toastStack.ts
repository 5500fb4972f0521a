const most = 3;

/** A toast without an action replaces earlier ones. Others stay, up to `most`, because nothing else offers their action. */
export function stacked<Toast extends { readonly action?: unknown }>(shown: readonly Toast[], next: Toast): readonly Toast[] {
  const offers = shown.filter(({ action }) => action !== undefined);
  if (next.action === undefined) return [...offers.slice(1 - most), next];
  const said = shown.filter(({ action }) => action === undefined);
  const kept = offers.slice(1 - most + said.length);
  return [...shown.filter((each) => said.includes(each) || kept.includes(each)), next];
}
