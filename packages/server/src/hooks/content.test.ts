import { type MessageCard, maxMessageLength } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { written } from './content.ts';

const notice = '（長すぎるため、続きは省略しました）';
const text = (source: string): MessageCard => ({ parts: [{ kind: 'text', text: source }] });
const lengthOf = (content: string) => [...content].length;

it('A message that fits is not cut', () => {
  const cards = [text('a'.repeat(maxMessageLength))];
  expect(written(cards)).toEqual({ cards, content: 'a'.repeat(maxMessageLength) });
});

it.each([
  ['one long line', [text('𠮷'.repeat(maxMessageLength + 1))]],
  ['many lines', [text('line\n'.repeat(5000))]],
  ['a long block of code', [text(`\`\`\`\`\n${'code\n'.repeat(5000)}\`\`\`\``)]],
  ['many cards', Array.from({ length: 500 }, () => text('a'.repeat(50)))],
  ['long fields', [{ parts: [{ kind: 'fields' as const, fields: [{ title: 'a', value: 'b'.repeat(20_000), short: true }] }] }]],
  ['a long title', [{ parts: [{ kind: 'title' as const, text: 'a'.repeat(20_000) }] }]],
])('A message with %s is cut to the length of a message, and says so in its text and in its cards', (_, cards) => {
  const message = written(cards);
  expect(lengthOf(message.content)).toBeLessThanOrEqual(maxMessageLength);
  expect(message.content.endsWith(notice)).toBe(true);
  expect(message.cards.at(-1)?.parts.at(-1)).toEqual({ kind: 'note', text: notice });
});

it('A block of code that was cut is closed before the note', () => {
  const { content } = written([text(`\`\`\`\`\n${'code\n'.repeat(5000)}\`\`\`\``)]);
  expect(content.endsWith(`\ncode\n\`\`\`\`\n\n${notice}`)).toBe(true);
});

it('A title whose label cannot be in a link is followed by its address', () => {
  const parts = [{ kind: 'title' as const, text: '[FIRING:1] disk', url: 'https://a.example/(1)' }];
  expect(written([{ parts }]).content).toBe('**[FIRING:1] disk** https://a.example/(1)');
});

it('A title and a value never make a mention together', () => {
  const fields = [{ title: 'a@', value: '**all**', short: true }];
  expect(written([{ parts: [{ kind: 'fields', fields }] }]).content).toBe('**a@\u2060**: **all**');
});
