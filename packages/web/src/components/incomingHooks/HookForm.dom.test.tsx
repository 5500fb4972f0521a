import { fireEvent } from '@testing-library/react';
import { hookPaths } from '@engawa/protocol/hooks';
import { expect, it, vi } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { ja as bots } from '../../i18n/bots.ja.ts';
import { ja as words } from '../../i18n/hooks.ja.ts';
import { HookForm } from './HookForm.tsx';

const nothing = () => undefined;

/** The form of a new hook on a server that lets nobody create bots. */
async function newHook() {
  const onClose = vi.fn<() => void>();
  const screen = await screenOf(({ server }) => {
    server.respond(`POST ${hookPaths.hooks}`, () =>
      Response.json({ result: 'error', msg: 'Nobody may create bots.', code: 'BOT_CREATION_OFF' }, { status: 400 }),
    );
    return <HookForm hook={undefined} onClose={onClose} onCreated={nothing} onChanged={nothing} />;
  });
  const name = screen.getByRole('textbox', { name: words.name });
  const stream = screen.getByRole('combobox', { name: words.stream });
  const topic = screen.getByRole('textbox', { name: words.topic });
  return {
    ...screen,
    onClose,
    name,
    stream,
    topic,
    type: (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } }),
    chooseStream: () =>
      fireEvent.change(stream, { target: { value: stream.querySelector('option:last-child')?.getAttribute('value') } }),
    submit: () => fireEvent.click(screen.getByRole('button', { name: words.create })),
  };
}

it('The form of a hook says in the member’s language that the organisation lets nobody create bots', async () => {
  const { name, type, chooseStream, submit, findByText } = await newHook();
  type(name, '監視くん');
  chooseStream();
  submit();
  expect(await findByText(bots.notAllowed.nobody)).toBeTruthy();
});

it('The form of a hook moves the focus to the first mistake, which describes its field', async () => {
  const { name, stream, topic, type, chooseStream, submit, getByText } = await newHook();
  type(topic, '');
  submit();
  expect(document.activeElement).toBe(name);
  type(name, '監視くん');
  submit();
  expect(document.activeElement).toBe(stream);
  expect(stream.getAttribute('aria-invalid')).toBe('true');
  expect(stream.getAttribute('aria-describedby')?.split(' ')).toContain(getByText(words.streamMissing).id);
  chooseStream();
  expect(stream.getAttribute('aria-invalid')).toBe('false');
  submit();
  expect(document.activeElement).toBe(topic);
});

it('A press outside closes the form of a hook only while nothing was chosen or typed', async () => {
  const { onClose, chooseStream, getByRole } = await newHook();
  fireEvent.pointerDown(getByRole('dialog'));
  expect(onClose).toHaveBeenCalledOnce();
  chooseStream();
  fireEvent.pointerDown(getByRole('dialog'));
  expect(onClose).toHaveBeenCalledOnce();
});
