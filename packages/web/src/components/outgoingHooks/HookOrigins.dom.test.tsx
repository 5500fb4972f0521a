import { fireEvent } from '@testing-library/react';
import { outgoingHookPaths } from '@engawa/protocol/outgoing-hooks';
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { ja } from '../../i18n/ja.ts';
import { ja as words } from '../../i18n/outgoingHooks.ja.ts';
import { HookOrigins } from './HookOrigins.tsx';

const read = `GET ${outgoingHookPaths.origins}`;
const origins = [{ origin: 'https://hooks.example', is_private: false }];

const origin = { selector: 'input' };

it('The list of allowed addresses is read once, and the answer of a change replaces it', async () => {
  let listed = origins;
  const { server, findByText, getByText, getByLabelText, getByRole } = await screenOf(({ server: { respond } }) => {
    respond(read, () => Response.json({ origins: listed }));
    respond(`POST ${outgoingHookPaths.origins}`, () => {
      listed = [...origins, { origin: 'http://10.0.0.8', is_private: true }];
      return Response.json({ origins: listed });
    });
    return <HookOrigins />;
  });
  await findByText('https://hooks.example');
  fireEvent.change(getByLabelText(words.origin, origin), { target: { value: 'http://10.0.0.8' } });
  fireEvent.click(getByRole('switch', { name: words.allowPrivate }));
  fireEvent.click(getByText(words.allow));
  await findByText('http://10.0.0.8');
  expect(server.called(read)).toHaveLength(1);
  // The next address needs its own decision.
  expect(getByRole('switch', { name: words.allowPrivate }).getAttribute('aria-checked')).toBe('false');
});

it('A list of allowed addresses that cannot be read offers another attempt', async () => {
  const { server, findByText, getByText } = await screenOf((example) => {
    example.server.fail(read, 'cut');
    example.server.respond(read, () => Response.json({ origins }));
    return <HookOrigins />;
  });
  await findByText(ja.failures.network);
  fireEvent.click(getByText(ja.again));
  await findByText('https://hooks.example');
  expect(server.called(read)).toHaveLength(2);
});

it('A malformed address and the removal of an address move the focus to the address field', async () => {
  let listed = origins;
  const { findByRole, findByText, getByLabelText, getByText } = await screenOf(({ server: { respond } }) => {
    respond(read, () => Response.json({ origins: listed }));
    respond(`DELETE ${outgoingHookPaths.origins}`, () => {
      listed = [];
      return Response.json({ origins: listed });
    });
    return <HookOrigins />;
  });
  const field = getByLabelText(words.origin, origin);
  fireEvent.change(field, { target: { value: '10.0.0.8' } });
  fireEvent.click(getByText(words.allow));
  expect(document.activeElement).toBe(field);
  const remove = await findByRole('button', { name: words.removeOrigin('https://hooks.example') });
  remove.focus();
  fireEvent.click(remove);
  await findByText(words.noneAllowed);
  expect(document.activeElement).toBe(field);
});
