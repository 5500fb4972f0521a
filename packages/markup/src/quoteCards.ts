import {
  type Block,
  type Inline,
  type LeafBlock,
  type List,
  type Mention,
  type Quote,
  type Spoiler,
  inlineText,
} from './tree.ts';

type Paragraph = Extract<Block, { kind: 'paragraph' }>;

/** A quote that names the quoted message. */
export interface QuoteCard {
  readonly kind: 'quote-card';
  /** The address of the quoted message. */
  readonly href: string;
  /** Sender and time as our clients write them; only the sender in the form of other clients. */
  readonly about: string;
  /** The sender, in the form of other clients. */
  readonly author: Extract<Mention, { kind: 'user-mention' }> | undefined;
  readonly children: readonly QuotingBlock[];
}

export type QuotingBlock = LeafBlock | QuoteCard | Quote<QuotingBlock> | Spoiler<QuotingBlock> | List<QuotingBlock>;

export type AddressTest = (href: string) => boolean;

/**
 * Replaces the quotes that name their message by cards. Our clients write `> Name (time) address` as the first line of the
 * quote. Zulip's clients write the paragraph `@_**Name|id** [said](address):` before it.
 */
export function quoteCards(blocks: readonly Block[], isMessage: AddressTest): readonly QuotingBlock[] {
  const shown: QuotingBlock[] = [];
  for (const block of blocks) {
    if (block.kind !== 'quote') {
      shown.push(within(block, isMessage));
      continue;
    }
    const previous = shown.at(-1);
    const said = previous?.kind === 'paragraph' ? saidIn(previous, isMessage) : undefined;
    if (!said) {
      shown.push(ownQuote(block, isMessage));
      continue;
    }
    shown.pop();
    if (said.before.length > 0) shown.push({ kind: 'paragraph', children: said.before });
    shown.push({ ...said.card, children: quoteCards(block.children, isMessage) });
  }
  return shown;
}

function within(block: LeafBlock | Spoiler<Block> | List<Block>, isMessage: AddressTest): QuotingBlock {
  if (block.kind === 'list') return { ...block, items: block.items.map((item) => quoteCards(item, isMessage)) };
  return block.kind === 'spoiler' ? { ...block, children: quoteCards(block.children, isMessage) } : block;
}

function ownQuote({ children }: Quote<Block>, isMessage: AddressTest): QuotingBlock {
  const plain = () => ({ kind: 'quote', children: quoteCards(children, isMessage) }) as const;
  const [first, ...others] = children;
  if (first?.kind !== 'paragraph') return plain();
  const at = first.children.findIndex(({ kind }) => kind === 'link');
  const link = first.children[at];
  if (link?.kind !== 'link' || link.label !== link.href || !isMessage(link.href)) return plain();
  const about = textOf(first.children.slice(0, at)).trim();
  const rest = withoutLineEnd(first.children.slice(at + 1));
  if (about === '' || about.includes('\n') || !rest) return plain();
  const quoted = rest.length > 0 ? [{ kind: 'paragraph', children: rest } as const, ...others] : others;
  return { kind: 'quote-card', href: link.href, about, author: undefined, children: quoteCards(quoted, isMessage) };
}

/** The inlines after the first line; undefined if that line does not end here. */
function withoutLineEnd([first, ...others]: readonly Inline[]): readonly Inline[] | undefined {
  if (!first) return [];
  if (first.kind !== 'text' || !/^[^\S\n]*\n/.test(first.text)) return undefined;
  const text = first.text.replace(/^[^\S\n]*\n/, '');
  return text === '' ? others : [{ kind: 'text', text }, ...others];
}

interface Said {
  readonly card: Omit<QuoteCard, 'children'>;
  /** The paragraph before the line that names the message. */
  readonly before: readonly Inline[];
}

/** Other languages order the line differently, so it is known by its only mention, which is silent, and its only link. */
function saidIn({ children }: Paragraph, isMessage: AddressTest): Said | undefined {
  const start = children.findLastIndex((node) => node.kind === 'text' && node.text.includes('\n'));
  const [before, after] = start < 0 ? ['', ''] : splitLastLine(children[start]);
  const line: readonly Inline[] = [{ kind: 'text', text: after }, ...children.slice(start + 1)];
  const named = line.filter(({ kind }) => kind !== 'text');
  const author = named.find((node) => node.kind === 'user-mention');
  const link = named.find((node) => node.kind === 'link');
  if (named.length !== 2 || !author?.silent || !link || !isMessage(link.href) || !/[:：]\s*$/.test(textOf(line)))
    return undefined;
  const kept = before.trimEnd() === '' ? [] : [{ kind: 'text', text: before.trimEnd() } as const];
  const card = { kind: 'quote-card', href: link.href, about: author.name, author } as const;
  return { card, before: start < 0 ? [] : [...children.slice(0, start), ...kept] };
}

function splitLastLine(node: Inline | undefined): readonly [string, string] {
  const text = node?.kind === 'text' ? node.text : '';
  const end = text.lastIndexOf('\n');
  return [text.slice(0, end), text.slice(end + 1)];
}

const textOf = (nodes: readonly Inline[]): string => nodes.map(inlineText).join('');
