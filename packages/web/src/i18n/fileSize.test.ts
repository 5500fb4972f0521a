import { describe, expect, it } from 'vitest';
import { fileSize } from './fileSize.ts';

describe('[R9.4] The size of a file', () => {
  it.each([
    [0, '0.0 B'],
    [1023, '1023.0 B'],
    [1024, '1.0 K'],
    [86_221, '84.2 K'],
    [1_048_575, '1.0 M'],
    [5_000_000, '4.8 M'],
    [1024 ** 4, '1.0 T'],
    [1024 ** 5, '1024.0 T'],
  ])('A file of %d bytes has the size %s', (bytes, shown) => {
    expect(fileSize(bytes)).toBe(shown);
  });
});
