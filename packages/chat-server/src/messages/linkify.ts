import { safeHref } from '@engawa/markup';

/** A pattern of the organisation's that can be looked for. */
export interface CompiledLinkifier {
  readonly hits: RegExp;
  readonly url_template: string;
}

/** Text, or a link. */
export type Piece = { readonly text: string; readonly href: string | undefined };

/** In the order in which they are tried. A pattern that this machine cannot read finds nothing. */
export function compileLinkifiers(
  linkifiers: readonly { readonly pattern: string; readonly url_template: string }[],
): CompiledLinkifier[] {
  return linkifiers.flatMap(({ pattern, url_template }) => {
    const hits = compile(pattern);
    return hits ? [{ hits, url_template }] : [];
  });
}

/** RE2 names its groups as Python does. A hit stands for itself: no letter or digit touches it. */
function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`(?<![A-Za-z0-9])(?:${pattern.replaceAll('(?P<', '(?<')})(?![A-Za-z0-9])`, 'g');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Text with its hits as links. What one linkifier has found, those after it do not look at. */
export function linkify(text: string, linkifiers: readonly CompiledLinkifier[]): Piece[] {
  const [first, ...rest] = linkifiers;
  if (!first) return [{ text, href: undefined }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const hit of text.matchAll(first.hits)) {
    const href = safeHref(filled(first.url_template, hit.groups ?? {}));
    if (hit[0] === '' || href === undefined) continue;
    pieces.push(...linkify(text.slice(end, hit.index), rest), { text: hit[0], href });
    end = hit.index + hit[0].length;
  }
  return [...pieces, ...linkify(text.slice(end), rest)];
}

/** The simple expansions of RFC 6570: `{name}`, and `{+name}` for a path. */
function filled(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replaceAll(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) => {
    const value = values[name]?.toWellFormed() ?? '';
    return plus === '' ? encodeURIComponent(value) : encodeURI(value);
  });
}
