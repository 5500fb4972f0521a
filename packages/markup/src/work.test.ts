import { describe, expect, it } from 'vitest';
import { parseEngawa } from './parseEngawa.ts';
import { parseZulip } from './parseZulip.ts';
import type { Work } from './source.ts';
import type { Block, Inline } from './tree.ts';

const marks = ['*', '**', '***', '_', '~', '~~', '°', '*a ', '*a* ', '*_~°'];
const fences = ['`', '``', '`a', '```', '```\n', '~~~\n', '```quote\n'];
const openings = ['[', '[a](', '[a](/', '(', ')', '$$', '$$a', '<time:', '<'];
const names = ['@**', '@*a', '@_**a|1', '#**', '#**a>', ':', ':a', ':a:'];
const hosts = ['https://', 'https://a/', 'https://a/を', 'https://aを', 'https://..:9/'];
const tails = ['http://a)', 'https://a.', 'mailto:@', '/'];
const lists = ['\n', '> ', '>', '> a\n', '\n> ```', '- a\n', '- ', ' - a\n', '  ', '1. a\n', '\n\n- a'];
const lines = ['# ', '---\n', '- - ', '|', '|-', 'a|b\n', '|-|\n'];
const pieces = ['a', 'あ', ' ', ...marks, ...fences, ...openings, ...names, ...hosts, ...tails, ...lists, ...lines];

/** Each piece repeated, alone and together with each other piece. */
const hostile = pieces.flatMap((one) => [one, ...pieces.map((other) => one + other)]);

/** Long enough to reveal quadratic work. */
const length = 2_000;
/** Each line is read once per level of blocks (eight), and each character a few times more. */
const maxReads = 24;

describe.each([
  ['our own', (text: string, work: Work): readonly Block[] => parseEngawa(text, work)],
  ["the other clients'", parseZulip],
])('The parser of %s dialect', (dialect, parse) => {
  const costOf = (text: string) => {
    const work = { charactersRead: 0 };
    parse(text, work);
    return work.charactersRead / text.length;
  };

  it(`[R5.3.2] The parser of ${dialect} dialect reads each character of a hostile text at most 24 times on average`, () => {
    const costs = hostile.map((part) => ({ part, cost: costOf(part.repeat(length / part.length)) }));
    expect(costs.filter(({ cost }) => cost > maxReads)).toEqual([]);
  });

  it(`[R5.3.2] The parser of ${dialect} dialect reads each character of a long text with one hostile part at most 24 times on average`, () => {
    const costs = hostile.map((part) => ({ part, cost: costOf(`[${part}${'ab '.repeat(length / 3)}`) }));
    expect(costs.filter(({ cost }) => cost > maxReads)).toEqual([]);
  });

  it(`[R5.3.2] The parser of ${dialect} dialect returns a tree with at most 16 levels`, () => {
    for (const part of hostile) expect(depthOf(parse(part.repeat(200 / part.length), { charactersRead: 0 }))).toBeLessThan(18);
  });
});

function depthOf(blocks: readonly Block[]): number {
  return Math.max(0, ...blocks.map((block) => 1 + depthIn(block)));
}

function depthIn(block: Block): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return depthOfInlines(block.children);
    case 'quote':
    case 'spoiler':
      return depthOf(block.children);
    case 'list':
      return Math.max(...block.items.map(depthOf));
    default:
      return 0;
  }
}

function depthOfInlines(nodes: readonly Inline[]): number {
  return Math.max(0, ...nodes.map((node) => ('children' in node ? 1 + depthOfInlines(node.children) : 0)));
}
