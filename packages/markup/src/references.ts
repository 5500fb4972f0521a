import { atomAt, codeSpans } from './atoms.ts';
import { Source, type Work } from './source.ts';
import type { Inline, Mention, TopicLink } from './tree.ts';

/** A mention, or a link to a stream or topic. */
export type Reference = Mention | TopicLink | Extract<Inline, { kind: 'stream-link' }>;

export interface FoundReference {
  readonly node: Reference;
  readonly from: number;
  readonly to: number;
}

const fence = '```';

/** Finds the references in a text of our dialect, with their positions. Code contains none. */
export function referencesIn(text: string, work: Work = { charactersRead: 0 }): FoundReference[] {
  const source = new Source(text, work);
  const spans = codeSpans(source);
  const found: FoundReference[] = [];
  let fences = true;
  for (let at = 0; at < text.length;) {
    if (fences && source.startsWith(fence, at)) {
      const close = text.indexOf(fence, at + fence.length);
      work.charactersRead += (close < 0 ? text.length : close) - at;
      fences = close >= 0;
      if (fences) {
        at = close + fence.length;
        continue;
      }
    }
    const atom = atomAt(source, at, spans);
    const to = at + (atom?.length ?? 1);
    if (atom && isReference(atom.node)) found.push({ node: atom.node, from: at, to });
    at = to;
  }
  return found;
}

function isReference(node: Inline): node is Reference {
  return 'silent' in node || node.kind === 'stream-link' || node.kind === 'topic-link';
}
