import { safeHref } from '@engawa/markup';
import { compilePattern } from '../realm/pattern.ts';

export interface CompiledLinkifier {
  readonly hits: RegExp;
  readonly url_template: string;
}

export type Piece = { readonly text: string; readonly href: string | undefined };

/** The first linkifier has precedence. Linkifiers with an invalid pattern are left out. */
export function compileLinkifiers(
  linkifiers: readonly { readonly pattern: string; readonly url_template: string }[],
): CompiledLinkifier[] {
  return linkifiers.flatMap(({ pattern, url_template }) => {
    const hits = compilePattern(pattern);
    return hits ? [{ hits, url_template }] : [];
  });
}

/** Turns matches into links. A linkifier does not see text that an earlier linkifier has matched. */
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

/** Fills `{name}` and `{+name}` of a URI template (RFC 6570). */
function filled(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replaceAll(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) => {
    const value = values[name]?.toWellFormed() ?? '';
    return plus === '' ? encodeURIComponent(value) : encodeURI(value);
  });
}
