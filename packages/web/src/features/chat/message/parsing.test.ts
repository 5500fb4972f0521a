import { parseEngawa } from '@engawa/markup';
import { expect, it } from 'vitest';
import { loadZulipMarkup } from '../../../model/timeline/messageText.ts';
import { parsed } from './parsing.ts';

const parsedText = (content: string) => parsed({ content, dialect: 'engawa' });

it('[R5.3] parsed returns the cached blocks of a text, and parses it again once it has left the cache', () => {
  const blocks = parsedText('*太字*の一言');
  expect(blocks).toEqual(parseEngawa('*太字*の一言'));
  expect(parsedText('*太字*の一言')).toBe(blocks);
  for (let number = 0; number < 400; number += 1) parsedText(`${number}`);
  expect(parsedText('*太字*の一言')).not.toBe(blocks);
  expect(parsedText('*太字*の一言')).toEqual(blocks);
});

it('[R5.3] parsed does not cache a very long text', () => {
  const long = 'あ'.repeat(2001);
  expect(parsedText(long)).not.toBe(parsedText(long));
});

it('[R7.8] parsed keeps the blocks of the same text in two dialects apart', async () => {
  const content = '*一*';
  await loadZulipMarkup();
  expect(parsed({ content, dialect: 'zulip' })).toMatchObject([{ children: [{ kind: 'emphasis' }] }]);
  expect(parsed({ content, dialect: 'engawa' })).toMatchObject([{ children: [{ kind: 'strong' }] }]);
});
