/** The parsed text of a message. No part of it is ever interpreted as HTML. */

export type Mark = 'strong' | 'emphasis' | 'strike' | 'underline';

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: Mark; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  /** A formula in TeX, which is shown as typed. */
  | { readonly kind: 'math'; readonly text: string }
  /** `href` comes from `safeHref`, so it never runs a script. */
  | { readonly kind: 'link'; readonly href: string; readonly label: string }
  /** `name` is empty if only an id was typed. A silent mention notifies nobody. */
  | { readonly kind: 'user-mention'; readonly name: string; readonly id: number | undefined; readonly silent: boolean }
  /** Mentions everyone in the conversation. `name`: all, everyone, channel or stream. */
  | { readonly kind: 'wildcard-mention'; readonly name: string; readonly silent: boolean }
  | { readonly kind: 'group-mention'; readonly name: string; readonly silent: boolean }
  | { readonly kind: 'stream-link'; readonly stream: string }
  | TopicLink
  | { readonly kind: 'emoji'; readonly name: string }
  /** `time`: unix milliseconds; `text`: as typed. */
  | { readonly kind: 'time'; readonly time: number; readonly text: string };

export type Mention = Extract<Inline, { kind: 'user-mention' | 'wildcard-mention' | 'group-mention' }>;

export interface TopicLink {
  readonly kind: 'topic-link';
  readonly stream: string;
  readonly topic: string;
  readonly messageId: number | undefined;
}

interface Paragraph {
  readonly kind: 'paragraph';
  readonly children: readonly Inline[];
}

export interface CodeBlock {
  readonly kind: 'code-block';
  readonly language: string;
  readonly text: string;
}

export interface Quote<Within> {
  readonly kind: 'quote';
  readonly children: readonly Within[];
}

export interface Spoiler<Within> {
  readonly kind: 'spoiler';
  readonly title: readonly Inline[];
  readonly children: readonly Within[];
}

export interface List<Within> {
  readonly kind: 'list';
  /** The first number; undefined for bullets. */
  readonly start: number | undefined;
  readonly items: readonly (readonly Within[])[];
}

/** Blocks nested deeper than this stay text, so that each line is read at most so often. */
export const maxDepth = 8;

type Cell = readonly Inline[];

/** A block without other blocks in it. */
export type LeafBlock =
  | Paragraph
  | CodeBlock
  | { readonly kind: 'math-block'; readonly text: string }
  | { readonly kind: 'heading'; readonly level: HeadingLevel; readonly children: readonly Inline[] }
  | { readonly kind: 'rule' }
  | { readonly kind: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] };

export type Block = LeafBlock | Quote<Block> | Spoiler<Block> | List<Block>;

export type EngawaBlock = Paragraph | CodeBlock | Quote<EngawaBlock>;

export const headingLevels = [1, 2, 3, 4, 5, 6] as const;
type HeadingLevel = (typeof headingLevels)[number];

export function inlineText(node: Inline): string {
  switch (node.kind) {
    case 'text':
    case 'code':
    case 'time':
      return node.text;
    case 'math':
      return `$$${node.text}$$`;
    case 'link':
      return node.label;
    case 'user-mention':
      return `@${node.name === '' ? `${node.id}` : node.name}`;
    case 'wildcard-mention':
    case 'group-mention':
      return `@${node.name}`;
    case 'stream-link':
      return `#${node.stream}`;
    case 'topic-link':
      return `#${node.stream} > ${node.topic}`;
    case 'emoji':
      return `:${node.name}:`;
    default:
      return node.children.map(inlineText).join('');
  }
}
