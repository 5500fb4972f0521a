import type { Dialect } from './dialect.ts';
import { parseEngawa } from './parseEngawa.ts';
import { type Reference, referencesIn } from './references.ts';
import type { EngawaBlock, Inline } from './tree.ts';

type UserMention = Extract<Inline, { kind: 'user-mention' }>;

/** @returns what a mention names on the other server. */
export type NameMention = (mention: UserMention) => string;

/**
 * Writes a message in Zulip's syntax, for a server that gives users and messages other ids. Zulip has no underline, so that mark
 * is left out. It has no escapes either, so text that is markup only in Zulip stays unchanged.
 */
export function zulipSource(text: string, dialect: Dialect, nameOf: NameMention): string {
  return dialect === 'zulip' ? withReferences(text, nameOf) : new Writer(nameOf).blocks(parseEngawa(text));
}

function withReferences(text: string, nameOf: NameMention): string {
  let written = '';
  let after = 0;
  for (const { node, from, to } of referencesIn(text)) {
    written += text.slice(after, from) + referenceSource(node, nameOf);
    after = to;
  }
  return written + text.slice(after);
}

/** Without ids. `@**channel**` is newer than Zulip 8, and so is the id of a message in a link to a topic. */
function referenceSource(node: Reference, nameOf: NameMention): string {
  const at = 'silent' in node && node.silent ? '@_' : '@';
  switch (node.kind) {
    case 'user-mention':
      return `${at}**${nameOf(node)}**`;
    case 'wildcard-mention':
      return `${at}**${node.name === 'channel' ? 'all' : node.name}**`;
    case 'group-mention':
      return `${at}*${node.name}*`;
    case 'stream-link':
      return `#**${node.stream}**`;
    case 'topic-link':
      return `#**${node.stream}>${node.topic}**`;
  }
}

const marks = { strong: '**', emphasis: '*', strike: '~~', underline: '' } as const;

class Writer {
  readonly #nameOf: NameMention;

  constructor(nameOf: NameMention) {
    this.#nameOf = nameOf;
  }

  blocks(blocks: readonly EngawaBlock[]): string {
    return blocks.map((block) => this.#block(block)).join('\n');
  }

  #block(block: EngawaBlock): string {
    switch (block.kind) {
      case 'paragraph':
        return this.#inlines(block.children, false);
      case 'code-block':
        return fenced(block.language, block.text);
      case 'quote':
        // Zulip continues a quote of `>` lines until the next blank line.
        return fenced('quote', this.blocks(block.children));
    }
  }

  #inlines(nodes: readonly Inline[], isMarked: boolean): string {
    const parts = nodes.map((node) => this.#inline(node));
    return nodes
      .map((node, index) => {
        const part = parts[index] ?? '';
        if (node.kind !== 'link' || node.label !== node.href) return part;
        const stands = !isMarked && isBoundary(parts[index - 1]?.at(-1)) && isBoundary(parts[index + 1]?.at(0));
        return stands ? node.href : part;
      })
      .join('');
  }

  #inline(node: Inline): string {
    if ('children' in node) {
      const mark = marks[node.kind];
      return `${mark}${this.#inlines(node.children, true)}${mark}`;
    }
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'code':
        return code(node.text);
      case 'math':
        return `$$${node.text}$$`;
      case 'link':
        return `[${encoded(node.label, /[[\]]/g)}](${encoded(node.href, /[[\]()]/g)})`;
      case 'emoji':
        return `:${node.name}:`;
      case 'time':
        return `<time:${node.text}>`;
      default:
        return referenceSource(node, this.#nameOf);
    }
  }
}

/** Zulip finds an address only between spaces. */
const isBoundary = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

const encoded = (text: string, characters: RegExp): string =>
  text.replaceAll(characters, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** The closing fence equals the opening one, so a fence is longer than those inside. */
function fenced(info: string, inside: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(inside) + 1));
  return `${fence}${info}\n${inside}\n${fence}`;
}

function code(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + space + text + space + fence;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
