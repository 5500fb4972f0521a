import { expect, it } from 'vitest';
import { addressStream } from './address.ts';

/** Reads `to` as a chat server does: as JSON if it parses, else as the name. */
function read(to: string): unknown {
  try {
    return JSON.parse(to);
  } catch {
    return to;
  }
}

const plain = ['総務部', 'stream events', 'a"b', '🍵', '1 2', ''];
const misleading = ['123', '-1', '1e5', ' 12 ', 'null', 'true', '"quoted"', '[1]', '{}', '{"a":1}'];

it.each([...plain, ...misleading])('addressStream encodes the stream name “%s” so that the server reads the same name', (name) =>
  expect(read(addressStream(name))).toBe(name),
);

it('addressStream does not change a stream name that cannot be read as an id', () => {
  expect(addressStream('総務部')).toBe('総務部');
});
