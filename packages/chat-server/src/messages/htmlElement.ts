import { escapeHtml } from '../text/characters.ts';

export const tags = [
  ...(['a', 'blockquote', 'br', 'code', 'del', 'div', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'img'] as const),
  ...(['li', 'ol', 'p', 'pre', 'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'time', 'tr', 'ul'] as const),
] as const;
export const attributes = [
  ...(['alt', 'aria-hidden', 'aria-label', 'class', 'data-code-language', 'data-stream-id', 'data-user-id'] as const),
  ...(['datetime', 'href', 'role', 'src', 'start', 'title'] as const),
] as const;
const withoutContent: ReadonlySet<Tag> = new Set<Tag>(['br', 'hr', 'img']);
/** Inline elements do not interrupt the text in which they stand. */
export const inline: ReadonlySet<Tag> = new Set<Tag>(['a', 'br', 'code', 'del', 'em', 'img', 'span', 'strong', 'time']);

type Attributes = { readonly [Name in (typeof attributes)[number]]?: string };

type Tag = (typeof tags)[number];

/** A tree of elements and texts. Texts are escaped, so no text can become markup. */
export type Html =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'element'; readonly tag: Tag; readonly attributes: Attributes; readonly content: readonly Html[] }
  | { readonly kind: 'all'; readonly parts: readonly Html[] };

export const text = (typed: string): Html => ({ kind: 'text', text: typed });

export function element(tag: Tag, attributes: Attributes, ...content: readonly Html[]): Html {
  return { kind: 'element', tag, attributes, content };
}

export function all(parts: readonly Html[], between = ''): Html {
  if (between === '') return { kind: 'all', parts };
  return { kind: 'all', parts: parts.flatMap((part, index) => (index === 0 ? [part] : [text(between), part])) };
}

export function written(html: Html): string {
  switch (html.kind) {
    case 'text':
      return escapeHtml(html.text);
    case 'all':
      return html.parts.map(written).join('');
    case 'element': {
      const values = Object.entries(html.attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
      const opened = `<${html.tag}${values.join('')}>`;
      return withoutContent.has(html.tag) ? opened : `${opened}${html.content.map(written).join('')}</${html.tag}>`;
    }
  }
}
