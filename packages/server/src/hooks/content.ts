import { type CardPart, type MessageCard, maxMessageLength } from '@engawa/protocol';
import { foreignMarkdown, plainSource } from '@engawa/markup/dialects';
import { linkSource } from './incoming/message.ts';

/** A message as the chat server stores it: the cards, and the same as Markdown of Zulip for other clients. */
interface WrittenMessage {
  readonly content: string;
  readonly cards: readonly MessageCard[];
}

const cutNotice: CardPart = { kind: 'note', text: '（長すぎるため、続きは省略しました）' };

/** Cuts cards that are too long for a message, with a note at the end. */
export function written(cards: readonly MessageCard[]): WrittenMessage {
  const content = contentOf(cards);
  if (lengthOf(content) <= maxMessageLength) return { content, cards };
  const kept: MessageCard[] = [];
  // Each part is followed by a blank line at most.
  let left = maxMessageLength - lengthOf(partSource(cutNotice)) - 2;
  for (const { parts, ...card } of cards) {
    const fitting: CardPart[] = [];
    kept.push({ ...card, parts: fitting });
    for (const part of parts) {
      const length = lengthOf(partSource(part)) + 2;
      if (length > left) {
        const shortened = part.kind === 'text' ? cutText(part.text, left - 2) : '';
        if (shortened !== '') fitting.push({ kind: 'text', text: shortened });
        fitting.push(cutNotice);
        return { content: contentOf(kept), cards: kept };
      }
      fitting.push(part);
      left -= length;
    }
  }
  return { content: contentOf(kept), cards: kept };
}

function contentOf(cards: readonly MessageCard[]): string {
  return foreignMarkdown(cards.flatMap(({ parts }) => parts.map(partSource)).join('\n\n'));
}

function partSource(part: CardPart): string {
  switch (part.kind) {
    case 'title':
      return linkSource(part.text, part.url, bold);
    case 'text':
    case 'note':
      return part.text;
    case 'fields':
      return part.fields.map(({ title, value }) => fieldSource(title, value)).join('\n');
    case 'divider':
      return '---';
  }
}

const bold = (source: string): string => `**${source}**`;

function fieldSource(title: string, value: string): string {
  if (title === '') return value;
  const name = `${bold(plainSource(title))}: `;
  // A block, such as code, begins on a new line.
  return /^(?:```|> |[-*+] |\d+\. )/m.test(value) ? `${name}\n${value}` : name + value;
}

const lengthOf = (text: string): number => [...text].length;

/** Cuts at the end of a line if one is near, and closes a block of code that was cut. */
function cutText(text: string, most: number): string {
  const fence = Math.max(0, ...[...text.matchAll(/^(?:`{3,}|~{3,})/gm)].map(([marks]) => marks.length + 1));
  const cut = [...text].slice(0, Math.max(0, most - fence)).join('');
  const lineEnd = cut.lastIndexOf('\n');
  const kept = lineEnd > cut.length / 2 ? cut.slice(0, lineEnd) : cut;
  const fences = [...kept.matchAll(/^(?:`{3,}|~{3,})/gm)].map(([marks]) => marks);
  return fences.length % 2 === 1 ? `${kept}\n${fences.at(-1)}` : kept.trimEnd();
}
