import { fireEvent, render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Avatar } from './Avatar.tsx';

const avatar = (picture: string) => <Avatar id={1} name="田中 愛" picture={picture} size="list" />;

it('[R7.8] A picture that the chat server does not deliver gives way to the first letter of the name', () => {
  const { container, rerender } = render(avatar('/user_avatars/1.png'));
  const image = container.querySelector('img');
  if (!image) throw new Error('no picture');
  fireEvent.error(image);
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).toBe('田');
  rerender(avatar('/user_avatars/2.png'));
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/user_avatars/2.png');
});
