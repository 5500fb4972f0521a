import { expect, it } from 'vitest';
import { complaintAbout } from './image.ts';

it.each(['me.jpg', 'me.JPEG', 'me.Png', '写真.gif', 'a.b.jpg'])(
  '[R5.2] A profile image with the file name %s is accepted',
  (name) => {
    expect(complaintAbout({ name, size: 5_000_000 })).toBeUndefined();
  },
);

it.each(['me.webp', 'me.svg', 'me.bmp', 'me.png.exe', 'png', 'me', ''])(
  '[R5.2] A profile image with the file name %j is rejected',
  (name) => {
    expect(complaintAbout({ name, size: 1 })).toBe('type');
  },
);

it('[R5.2] A profile image of 5,000,001 bytes is rejected as too large, unless its type is rejected first', () => {
  expect(complaintAbout({ name: 'me.png', size: 5_000_001 })).toBe('size');
  expect(complaintAbout({ name: 'me.pdf', size: 5_000_001 })).toBe('type');
});
