import { fireEvent } from '@testing-library/react';
import { hookPaths } from '@engawa/protocol/hooks';
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { ja as bots } from '../../i18n/bots.ja.ts';
import { ja as words } from '../../i18n/hooks.ja.ts';
import { HookForm } from './HookForm.tsx';

const nothing = () => undefined;
const form = <HookForm hook={undefined} onClose={nothing} onCreated={nothing} onChanged={nothing} />;

it('The form of a hook says in the member’s language that the organisation lets nobody create bots', async () => {
  const { findByText, getByLabelText, getByRole } = await screenOf(({ server }) => {
    server.respond(`POST ${hookPaths.hooks}`, () =>
      Response.json({ result: 'error', msg: 'Nobody may create bots.', code: 'BOT_CREATION_OFF' }, { status: 400 }),
    );
    return form;
  });
  fireEvent.change(getByLabelText(words.name, { selector: 'input' }), { target: { value: '監視くん' } });
  const stream = getByLabelText(words.stream, { selector: 'select' });
  fireEvent.change(stream, { target: { value: stream.querySelector('option:last-child')?.getAttribute('value') } });
  fireEvent.click(getByRole('button', { name: words.create, hidden: true }));
  expect(await findByText(bots.notAllowed.nobody)).toBeTruthy();
});
