import { parseEngawa } from '@engawa/markup';
import { expect, it } from 'vitest';
import { quoteOf } from './quoting.ts';

it('[R2.14] quotes line by line, and leaves the next line to the answer', () => {
  expect(quoteOf('佐藤 美咲（09:58）', '一行め\n\n二行め')).toBe('> 佐藤 美咲（09:58）\n> 一行め\n>\n> 二行め\n');
});

it('calls nobody a second time', () => {
  const [paragraph] = parseEngawa(quoteOf('佐藤 美咲', '@**田中 翔** @*人事部* @**all** お願いします'));
  const inlines = paragraph?.kind === 'paragraph' ? paragraph.children : [];
  expect(inlines.filter(({ kind }) => kind !== 'text')).toEqual([
    { kind: 'user-mention', name: '田中 翔', id: undefined, silent: true },
    { kind: 'group-mention', name: '人事部', silent: true },
    { kind: 'wildcard-mention', name: 'all', silent: true },
  ]);
});
