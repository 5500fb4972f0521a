import { expect, it } from 'vitest';
import { addressStream } from './address.ts';

/** As a chat server reads `to`: JSON where it is JSON, else the name itself. */
function read(to: string): unknown {
  try {
    return JSON.parse(to);
  } catch {
    return to;
  }
}

const plain = ['総務部', 'stream events', 'a"b', '🍵', '1 2', ''];
const misleading = ['123', '-1', '1e5', ' 12 ', 'null', 'true', '"quoted"', '[1]', '{}', '{"a":1}'];

it.each([...plain, ...misleading])(
  'a stream is addressed by its name, also where the name reads like something else: “%s”',
  (name) => expect(read(addressStream(name))).toBe(name),
);

it('a name that reads like nothing else goes as it is', () => {
  expect(addressStream('総務部')).toBe('総務部');
});
