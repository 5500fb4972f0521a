import { fireEvent } from '@testing-library/react';
import { outgoingHookPaths } from '@engawa/protocol/outgoing-hooks';
import { expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { screenOf } from '../../../test/screen.tsx';
import { ja as words } from '../../i18n/outgoingHooks.ja.ts';
import { OutgoingHookForm } from './OutgoingHookForm.tsx';

const nothing = () => undefined;

async function newPost() {
  const onClose = vi.fn<() => void>();
  const form = { hook: undefined, origins: ['https://hooks.example'], onClose, onCreated: nothing, onChanged: nothing };
  const screen = await screenOf(() => <OutgoingHookForm {...form} />);
  const stream = screen.getByRole('combobox', { name: words.streams });
  return {
    ...screen,
    onClose,
    stream,
    chooseStream: () =>
      fireEvent.change(stream, { target: { value: stream.querySelector('option:last-child')?.getAttribute('value') } }),
  };
}

it('The form of an external post moves the focus to the first mistake', async () => {
  const { getByRole } = await newPost();
  const name = getByRole('textbox', { name: words.name });
  const address = getByRole('textbox', { name: words.address });
  const submit = getByRole('button', { name: words.create });
  fireEvent.click(submit);
  expect(document.activeElement).toBe(name);
  fireEvent.change(name, { target: { value: '申請 係' } });
  fireEvent.click(submit);
  expect(document.activeElement).toBe(address);
});

it('Removing a stream from an external post moves the focus to the choice of streams, even if all streams were chosen', async () => {
  const { stream, chooseStream, getAllByRole } = await newPost();
  while (stream.childElementCount > 1) chooseStream();
  const [remove] = getAllByRole('button', { name: /を外す$/ });
  remove?.focus();
  if (remove) fireEvent.click(remove);
  expect(document.activeElement).toBe(stream);
});

it('A press outside does not close the form of an external post after a stream was chosen', async () => {
  const { onClose, chooseStream, getByRole } = await newPost();
  chooseStream();
  fireEvent.pointerDown(getByRole('dialog'));
  expect(onClose).not.toHaveBeenCalled();
});

it('The form of an external post shows in the language of the member that the organisation has the most external posts', async () => {
  const { server, getByRole, findByText } = await newPost();
  const refusal = errorAnswer(400, 'TOO_MANY_HOOKS', 'There are 200 outgoing hooks. Remove some first.');
  server.fail(`POST ${outgoingHookPaths.hooks}`, refusal);
  fireEvent.change(getByRole('textbox', { name: words.name }), { target: { value: '申請 係' } });
  fireEvent.change(getByRole('textbox', { name: words.address }), { target: { value: 'https://hooks.example/in' } });
  fireEvent.click(getByRole('button', { name: words.create }));
  await findByText(words.refusals.TOO_MANY_HOOKS);
});
