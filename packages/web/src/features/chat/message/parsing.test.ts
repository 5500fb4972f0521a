import { parseEngawa } from '@engawa/markup';
import { expect, it } from 'vitest';
import { parsed } from './parsing.ts';

it('[R5.3] parsed returns the cached blocks of a text, and parses it again once it has left the cache', () => {
  const blocks = parsed('*太字*の一言');
  expect(blocks).toEqual(parseEngawa('*太字*の一言'));
  expect(parsed('*太字*の一言')).toBe(blocks);
  for (let number = 0; number < 400; number += 1) parsed(`${number}`);
  expect(parsed('*太字*の一言')).not.toBe(blocks);
  expect(parsed('*太字*の一言')).toEqual(blocks);
});

it('[R5.3] parsed does not cache a very long text', () => {
  const long = 'あ'.repeat(2001);
  expect(parsed(long)).not.toBe(parsed(long));
});
