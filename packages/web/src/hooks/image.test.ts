import { expect, it } from 'vitest';
import { complaintAbout } from './image.ts';

it.each(['me.jpg', 'me.JPEG', 'me.Png', '写真.gif', 'a.b.jpg'])('[R5.2] %s is an image by its name', (name) => {
  expect(complaintAbout({ name, size: 5_000_000 })).toBeUndefined();
});

it.each(['me.webp', 'me.svg', 'me.bmp', 'me.png.exe', 'png', 'me', ''])('[R5.2] %j is none', (name) => {
  expect(complaintAbout({ name, size: 1 })).toBe('type');
});

it('[R5.2] one byte more than 5,000,000 is too large, and the type is looked at first', () => {
  expect(complaintAbout({ name: 'me.png', size: 5_000_001 })).toBe('size');
  expect(complaintAbout({ name: 'me.pdf', size: 5_000_001 })).toBe('type');
});
