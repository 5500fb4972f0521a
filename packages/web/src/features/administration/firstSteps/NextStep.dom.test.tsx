import { act, fireEvent } from '@testing-library/react';
import { expect, it } from 'vitest';
import { errorAnswer } from '../../../../test/chatServer.ts';
import { screenOf } from '../../../../test/screen.tsx';
import { ja } from '../../../i18n/firstSteps.ja.ts';
import type { FirstStepsState } from '@engawa/protocol/administration';
import { NextStep } from './NextStep.tsx';

const read = 'GET /api/administration/first-steps';
const state: FirstStepsState = { done: ['departments'], is_dismissed: false, mail: null, last_backup: null };

it('If the server refuses to hide the setup from the first screen, the first screen shows it again', async () => {
  const screen = await screenOf(({ server }) => {
    server.fail(read, Response.json(state));
    server.fail('PATCH /api/administration/first-steps', errorAnswer(400, 'BAD_REQUEST', ''));
    return <NextStep place="list" address="#" />;
  });
  await screen.findByText(ja.open(ja.steps.invitations.heading));
  fireEvent.click(screen.getByRole('button', { name: ja.dismiss }));
  expect(screen.queryByRole('complementary')).toBeNull();
  await screen.findByRole('complementary');
  expect(screen.queryByText(ja.dismissed)).toBeNull();
});

it('An answer that the server gave before the member hid the setup does not show it again', async () => {
  const late = Promise.withResolvers<Response>();
  const screen = await screenOf(({ server }) => {
    server.fail(read, Response.json(state), late.promise);
    server.fail('PATCH /api/administration/first-steps', Response.json({}));
    return <NextStep place="list" address="#" />;
  });
  await screen.findByText(ja.open(ja.steps.invitations.heading));
  document.dispatchEvent(new Event('visibilitychange'));
  fireEvent.click(screen.getByRole('button', { name: ja.dismiss }));
  await screen.findByText(ja.dismissed);
  await act(async () => late.resolve(Response.json(state)));
  expect(screen.queryByRole('complementary')).toBeNull();
});

it('In an empty conversation, an administrator who is not alone neither sees nor requests the setup', async () => {
  const { server, container } = await screenOf(() => <NextStep place="chat" address="#" />);
  expect([container.textContent, server.called(read)]).toEqual(['', []]);
});
