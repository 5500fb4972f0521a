export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const opening = /^<([a-z]+[1-6]?)((?: [a-z-]+="[^"<>&]*(?:&#\d+;[^"<>&]*)*")*)>/;
const closing = /^<\/([a-z]+[1-6]?)>/;
const text = /^(?:[^<>&"']|&#\d+;)+/;
const withoutContent = new Set(['br', 'hr', 'img']);

/**
 * Parses the elements of a message as HTML. Stricter than a browser: throws on unclosed tags, on entities other than
 * numeric ones, and on unescaped characters that could begin markup.
 */
export function elementsIn(html: string): Element[] {
  const found: Element[] = [];
  const open: string[] = [];
  for (let left = html; left !== '';) {
    const piece = opening.exec(left) ?? closing.exec(left) ?? text.exec(left);
    if (!piece) throw new Error(`no HTML that one of us writes: ${left.slice(0, 100)}`);
    const [all, tag = '', attributes = ''] = piece;
    if (all.startsWith('</')) {
      if (open.pop() !== tag) throw new Error(`closed, but not open: ${tag}`);
    } else if (all.startsWith('<')) {
      found.push({ tag, attributes: attributesIn(attributes) });
      if (!withoutContent.has(tag)) open.push(tag);
    }
    left = left.slice(all.length);
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join()}`);
  return found;
}

export function textIn(html: string): string {
  return unescaped(html.replace(/<[^>]*>/g, ''));
}

function attributesIn(written: string): Record<string, string> {
  const each = [...written.matchAll(/ ([a-z-]+)="([^"]*)"/g)];
  const names = new Set(each.map(([, name]) => name));
  if (names.size < each.length) throw new Error(`an attribute twice: ${written}`);
  return Object.fromEntries(each.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

function unescaped(written: string): string {
  return written.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
