import { composeFileMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { featuresOf } from './features.ts';
import { featureBits } from '../conversations/messageHeaders.ts';

function features(content: string, client = 'website'): string[] {
  const bits = featuresOf({ content, client });
  return Object.entries(featureBits).flatMap(([name, bit]) => (bits & bit ? [name] : []));
}

const featuresOfFile = (name: string, extension: string): string[] =>
  features(composeFileMessage({ name, storedName: 'a'.repeat(20) + extension, size: 1 }));

it.each([
  ['縁側で', []],
  ['https://example.com/を見て', ['link']],
  ['[資料](https://example.com/a)', ['link']],
  ['https://example.com/a.PNG?width=2#top', ['link', 'image']],
  ['[写真](/user_uploads/2/ab/cat.jpg)', ['link', 'image', 'attachment']],
  ['[資料](/user_uploads/2/ab/plan.pdf)', ['link', 'attachment']],
  ['`https://example.com/a.png`', []],
  ['```\nhttps://example.com/\n@**all**\n```', []],
  ['> https://example.com/', ['link']],
  ['@**all** 集合', ['mentionsAll']],
  ['@**everyone**', ['mentionsAll']],
  ['@**stream**', ['mentionsAll']],
  ['@**channel**', ['mentionsAll']],
  ['@**topic**', []],
  ['@_**all**', []],
  ['`@**all**`', []],
  ['> @**all**', []],
  ['```quote\n@**all**\n```', []],
  ['- @**all**', ['mentionsAll']],
])('featuresOf() finds in the message %j the features %j', (content, expected) => {
  expect(features(content)).toEqual(expected);
});

it('featuresOf() returns the features of a file message by its file type, whatever its file name contains', () => {
  expect(featuresOfFile('猫.png', '.png')).toEqual(['image', 'attachment']);
  expect(featuresOfFile('@**all** https://example.com/', '.pdf')).toEqual(['attachment']);
});

it('featuresOf() parses a message in the markup dialect of the client that sent it', () => {
  expect(features('```https://example.com/``` @**all**', 'Engawa')).toEqual(['mentionsAll']);
  expect(features('> @**all** https://example.com/\n了解', 'Engawa')).toEqual(['link']);
});
