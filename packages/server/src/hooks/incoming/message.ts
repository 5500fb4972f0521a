import type { CardPart, MessageCard } from '@engawa/protocol';
import { safeHref } from '@engawa/markup';
import { foreignMarkdown, plainSource } from '@engawa/markup/dialects';

/** A request as a message. */
export interface HookMessage {
  readonly cards: readonly MessageCard[];
  /** The topic for a message whose topic nobody chose; undefined if the format has none. */
  readonly topic: string | undefined;
}

/** A payload without a message in it. The reason is Slack's code. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly reason: 'invalid_payload' | 'no_text';

  constructor(reason: PayloadError['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** Slack's `good`, `warning` and `danger`, and a colour without a meaning. */
export const colours = { good: '#2eb886', warning: '#daa038', danger: '#a30200', neutral: '#717274' } as const;

type Part = CardPart | undefined;

/** A card without its empty parts. */
export function card(color: string | undefined, ...parts: readonly Part[]): MessageCard {
  return { ...(color !== undefined && { color }), parts: parts.filter((part) => part !== undefined) };
}

export function title(text: string | null | undefined, url?: string | null): Part {
  const line = text?.replaceAll(/\s+/g, ' ').trim();
  if (!line) return undefined;
  const href = linkOf(url);
  return { kind: 'title', text: line, ...(href !== undefined && { url: href }) };
}

/** @param source Markdown of Zulip. */
export function text(source: string | null | undefined): Part {
  return source?.trim() ? { kind: 'text', text: source.trim() } : undefined;
}

/** @param given Markdown of another program. */
export function markdown(given: string | null | undefined): Part {
  return text(given && foreignMarkdown(given));
}

export function plainText(plain: string | null | undefined): Part {
  return text(plain && plainSource(plain));
}

/** @param source Markdown of Zulip. */
export function note(source: string | null | undefined): Part {
  return source?.trim() ? { kind: 'note', text: source.trim() } : undefined;
}

export function plainNote(plain: string | null | undefined): Part {
  return note(plain && plainSource(plain));
}

/** Short fields with plain values, by their titles. Those without a value are left out. */
export function fields(values: Readonly<Record<string, string | number | null | undefined>>): Part {
  const shown = Object.entries(values).flatMap(([name, value]) => {
    const plain = String(value ?? '').trim();
    return plain === '' ? [] : [{ title: name, value: plainSource(plain), short: true }];
  });
  return shown.length === 0 ? undefined : { kind: 'fields', fields: shown };
}

/** An address to another server; undefined for any other, such as a path or `javascript:`. */
function linkOf(url: string | null | undefined): string | undefined {
  const href = url ? safeHref(url) : undefined;
  return href?.startsWith('/') ? undefined : href;
}

/** Markdown of Zulip for a link with a plain label. If the label or the address would end the link early, it follows the label. */
export function linkSource(
  label: string,
  url: string | null | undefined,
  style: (source: string) => string = (source) => source,
): string {
  const href = linkOf(url);
  const line = label.replaceAll(/\s+/g, ' ').trim();
  if (href === undefined) return style(plainSource(line));
  if (line === '' || line === href) return style(href);
  if (/[[\]]/.test(line) || /[()]/.test(href)) return `${style(plainSource(line))} ${href}`;
  return style(`[${foreignMarkdown(line)}](${href})`);
}
