import { fireEvent } from '@testing-library/react';
import type { OwnSession } from '@engawa/protocol/sessions';
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { Sessions } from './Sessions.tsx';

const session = (number: number, current: boolean): OwnSession => ({
  id: String(number),
  browser: `Browser ${number}`,
  system: null,
  address: '',
  signed_in: 0,
  last_used: 0,
  current,
});

it('[R2.25.1] The current session is the first one in the folded and in the unfolded list, and the others keep their order', async () => {
  const sessions = [1, 2, 3, 4, 5, 6].map((number) => session(number, number === 6));
  const screen = await screenOf(({ server }) => {
    server.fail('GET /api/sessions', Response.json({ sessions }));
    return <Sessions />;
  });
  const shown = () => screen.getAllByRole('listitem').map((row) => /Browser (\d)/.exec(row.textContent)?.[1]);
  const unfold = await screen.findByRole('button', { name: 'ほかの 1 台を表示' });
  expect(shown()).toEqual(['6', '1', '2', '3', '4']);
  fireEvent.click(unfold);
  expect(shown()).toEqual(['6', '1', '2', '3', '4', '5']);
});
