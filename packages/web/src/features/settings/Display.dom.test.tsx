import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { Display } from './Display.tsx';

it('[R1.4] The pressed language is marked at once, while its words load', async () => {
  await screenOf(() => <Display theme="system" onTheme={() => undefined} />);
  const english = await screen.findByRole<HTMLInputElement>('radio', { name: 'English' });
  fireEvent.click(english);
  expect(english.checked).toBe(true);
  expect(await screen.findByRole('radiogroup', { name: 'Language' })).toBeTruthy();
  expect(english.checked).toBe(true);
});
