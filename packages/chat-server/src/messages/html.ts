import { type Block, type Dialect, type Inline, type TopicLink, dialectOf, inlineText } from '@engawa/markup';
import { parseMarkup } from '@engawa/markup/dialects';
import { parseFileMessage, storagePath } from '@engawa/protocol';
import type { StreamRow } from '../conversations/streams.ts';
import { emojiCodeOf } from '../emoji/names.ts';
import type { UserRow } from '../identity/store.ts';
import type { UserGroupRow } from '../userGroups/store.ts';
import { highlighted } from './highlight.ts';
import { type Html, all, element, text, written } from './htmlElement.ts';
import { type CompiledLinkifier, linkify } from './linkify.ts';
import type { MessageRow } from './store.ts';

/** Lookups for rendering. Many readers share one result, so a lookup finds only what all of these readers may know. */
export interface RenderContext {
  readonly dialect: Dialect;
  readonly user: (named: NamedUser) => Pick<UserRow, 'id' | 'full_name'> | undefined;
  /** Finds a stream only if all these readers may open it. */
  readonly openStream: (name: string) => LinkedStream | undefined;
  readonly group: (name: string) => Pick<UserGroupRow, 'id' | 'name'> | undefined;
  readonly ownEmoji: (name: string) => string | undefined;
  readonly linkifiers: () => readonly CompiledLinkifier[];
  readonly words: readonly string[];
}

export interface NamedUser {
  readonly name: string;
  readonly id: number | undefined;
}
export type LinkedStream = Pick<StreamRow, 'conversation_id' | 'name'>;

/** Renders a message's text as the section "Markdown dialects" of the chat API specifies. `Html` escapes all texts. */
export function renderHtml(content: string, context: RenderContext): string {
  return written(highlighted(treeOf(content, context), context.words));
}

function treeOf(content: string, context: RenderContext): Html {
  const file = parseFileMessage(content);
  if (file) return element('p', {}, link(storagePath + file.storedName, file.name));
  return new Rendering(context).blocks(parseMarkup(content, context.dialect));
}

/** Whether a message is one paragraph that describes an action of its sender, such as `/me waves`. */
export function isMeMessage({ content, client }: Pick<MessageRow, 'content' | 'client'>): boolean {
  if (!content.startsWith('/me ')) return false;
  const blocks = parseMarkup(content, dialectOf(client));
  return blocks.length === 1 && blocks[0]?.kind === 'paragraph';
}

const link = (href: string, label: string): Html => element('a', { href }, text(label));

class Rendering {
  readonly #context: RenderContext;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  blocks(blocks: readonly Block[]): Html {
    return all(
      blocks.map((block) => this.#block(block)),
      '\n',
    );
  }

  #block(block: Block): Html {
    switch (block.kind) {
      case 'paragraph':
        return element('p', {}, this.#inlines(block.children));
      case 'code-block':
        return codeBlock(block.text, block.language);
      case 'math-block':
        return codeBlock(block.text, 'math');
      case 'heading':
        return element(`h${block.level}`, {}, this.#inlines(block.children));
      case 'quote':
        return element('blockquote', {}, onLines([this.blocks(block.children)]));
      case 'spoiler':
        return this.#spoiler(block.title, block.children);
      case 'list':
        return this.#list(block.start, block.items);
      case 'rule':
        return element('hr', {});
      case 'table':
        return this.#table(block.head, block.rows);
    }
  }

  #spoiler(title: readonly Inline[], children: readonly Block[]): Html {
    const header = title.length === 0 ? [] : [element('p', {}, this.#inlines(title))];
    return element(
      'div',
      { class: 'spoiler-block' },
      element('div', { class: 'spoiler-header' }, onLines(header)),
      element('div', { class: 'spoiler-content', 'aria-hidden': 'true' }, onLines([this.blocks(children)])),
    );
  }

  #list(start: number | undefined, items: readonly (readonly Block[])[]): Html {
    const lines = onLines(items.map((item) => element('li', {}, this.#item(item))));
    if (start === undefined) return element('ul', {}, lines);
    return element('ol', start === 1 ? {} : { start: String(start) }, lines);
  }

  #item(blocks: readonly Block[]): Html {
    const paragraphs = blocks.filter((block) => block.kind === 'paragraph').length;
    const parts = blocks.map((block) =>
      block.kind === 'paragraph' && paragraphs === 1 ? this.#inlines(block.children) : this.#block(block),
    );
    return all(parts, '\n');
  }

  #table(head: Row, rows: readonly Row[]): Html {
    const row = (tag: 'th' | 'td', cells: Row) =>
      element('tr', {}, onLines(cells.map((cell) => element(tag, {}, this.#inlines(cell)))));
    return element(
      'table',
      {},
      onLines([
        element('thead', {}, onLines([row('th', head)])),
        element('tbody', {}, onLines(rows.map((cells) => row('td', cells)))),
      ]),
    );
  }

  #inlines(nodes: readonly Inline[]): Html {
    return all(nodes.map((node) => this.#inline(node)));
  }

  #inline(node: Inline): Html {
    switch (node.kind) {
      case 'text':
        return this.#text(node.text);
      case 'strong':
        return element('strong', {}, this.#inlines(node.children));
      case 'emphasis':
        return element('em', {}, this.#inlines(node.children));
      case 'strike':
        return element('del', {}, this.#inlines(node.children));
      case 'underline':
        // Zulip's clients cannot show underlined text, so they get its markup.
        return all([text('°'), this.#inlines(node.children), text('°')]);
      case 'code':
      case 'math':
        return element('code', {}, text(inlineText(node)));
      case 'link':
        return link(node.href, node.label);
      case 'user-mention':
        return this.#userMention(node, node.silent);
      case 'wildcard-mention':
        return mention('*', node.name, node.silent);
      case 'group-mention':
        return this.#groupMention(node.name, node.silent);
      case 'stream-link':
        return this.#streamLink(node.stream);
      case 'topic-link':
        return this.#topicLink(node);
      case 'emoji':
        return this.#emoji(node.name);
      case 'time':
        return element('time', { datetime: new Date(node.time).toISOString().replace('.000Z', 'Z') }, text(node.text));
    }
  }

  #text(typed: string): Html {
    const pieces = linkify(typed, this.#context.linkifiers());
    return all(pieces.map(({ text: piece, href }) => (href === undefined ? lines(piece) : link(href, piece))));
  }

  #userMention(named: NamedUser, silent: boolean): Html {
    const user = this.#context.user(named);
    return user ? mention(String(user.id), user.full_name, silent) : text(typedMention(named, silent));
  }

  #groupMention(typed: string, silent: boolean): Html {
    const group = this.#context.group(typed);
    if (!group) return text(`@${silent ? '_' : ''}*${typed}*`);
    const id = { 'data-user-group-id': String(group.id) };
    if (silent) return element('span', { class: 'user-group-mention silent', ...id }, text(group.name));
    return element('span', { class: 'user-group-mention', ...id }, text(`@${group.name}`));
  }

  #streamLink(name: string): Html {
    const stream = this.#context.openStream(name);
    if (!stream) return text(`#${name}`);
    const attributes = { class: 'stream', 'data-stream-id': String(stream.conversation_id), href: addressOf(stream) };
    return element('a', attributes, text(`#${stream.name}`));
  }

  #topicLink(node: TopicLink): Html {
    const stream = this.#context.openStream(node.stream);
    if (!stream) return text(inlineText(node));
    const { topic, messageId } = node;
    const label = `#${stream.name} > ${topic}`;
    const href = `${addressOf(stream)}/topic/${hashEncoded(topic)}`;
    if (messageId !== undefined) {
      return element('a', { class: 'message-link', href: `${href}/near/${messageId}` }, text(`${label} @ 💬`));
    }
    const attributes = { class: 'stream-topic', 'data-stream-id': String(stream.conversation_id), href };
    return element('a', attributes, text(label));
  }

  #emoji(name: string): Html {
    const typed = `:${name}:`;
    const title = name.replaceAll('_', ' ');
    const src = this.#context.ownEmoji(name);
    if (src !== undefined) return element('img', { alt: typed, class: 'emoji', src, title });
    const code = emojiCodeOf(name);
    if (code === undefined) return text(typed);
    const attributes = { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title };
    return element('span', attributes, text(typed));
  }
}

type Row = Extract<Block, { kind: 'table' }>['head'];

function onLines(parts: readonly Html[]): Html {
  return all([text('\n'), ...parts.flatMap((part) => [part, text('\n')])]);
}

function lines(typed: string): Html {
  const [first = '', ...others] = typed.split('\n');
  return all([text(first), ...others.flatMap((line) => [element('br', {}), text('\n'), text(line)])]);
}

function codeBlock(code: string, language: string): Html {
  const attributes = language === '' ? {} : { 'data-code-language': language };
  const inside = element('pre', {}, element('span', {}), element('code', {}, text(`${code}\n`)));
  return element('div', { class: 'codehilite', ...attributes }, inside);
}

function mention(id: string, name: string, silent: boolean): Html {
  if (silent) return element('span', { class: 'user-mention silent', 'data-user-id': id }, text(name));
  return element('span', { class: 'user-mention', 'data-user-id': id }, text(`@${name}`));
}

function typedMention({ name, id }: NamedUser, silent: boolean): string {
  return `@${silent ? '_' : ''}**${name}${id === undefined ? '' : `|${id}`}**`;
}

function addressOf({ conversation_id, name }: LinkedStream): string {
  return `/#narrow/stream/${conversation_id}-${hashEncoded(name.replaceAll(' ', '-'))}`;
}

function hashEncoded(name: string): string {
  return encodeURIComponent(name.toWellFormed())
    .replaceAll(/[.!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}
