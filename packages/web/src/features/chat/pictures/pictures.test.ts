import { expect, it } from 'vitest';
import { isPicture, showsItself } from './pictures.ts';

it.each(['a.png', 'A.JPG', 'b.jpeg', 'c.gif', 'd.webp', 'e.avif'])('[R2.17] isPicture accepts a file named %s', (name) => {
  expect(isPicture({ name })).toBe(true);
});

it.each(['a.svg', 'a.html', 'a.png.exe', 'png', 'a.heic', 'a.pdf'])('[R2.17] isPicture rejects a file named %s', (name) => {
  expect(isPicture({ name })).toBe(false);
});

it('[R2.17] The message list shows no preview of a very large picture', () => {
  expect(showsItself({ size: 10 * 1024 ** 2 })).toBe(true);
  expect(showsItself({ size: 10 * 1024 ** 2 + 1 })).toBe(false);
  expect(showsItself({ size: 2 }, 1)).toBe(false);
});
