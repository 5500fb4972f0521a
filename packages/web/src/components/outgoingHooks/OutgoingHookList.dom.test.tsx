import { fireEvent } from '@testing-library/react';
import { type OutgoingHook, outgoingHookPaths as paths } from '@engawa/protocol/outgoing-hooks';
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { ja } from '../../i18n/ja.ts';
import { ja as words } from '../../i18n/outgoingHooks.ja.ts';
import { OutgoingHookList } from './OutgoingHookList.tsx';

const hook: OutgoingHook = {
  id: 41,
  name: '申請 係',
  address: 'https://hooks.example/in',
  stream_ids: [],
  owner_id: null,
  off: null,
  created: 1,
  last_success: null,
  last_error: null,
  retry: null,
  dropped: 0,
};
const read = `GET ${paths.hooks}`;
const listOf = (...hooks: readonly OutgoingHook[]) => Response.json({ hooks, origins: ['https://hooks.example'] });

it('The list of external posts stays while another read fails', async () => {
  const { server, findByText, getByText } = await screenOf((example) => {
    example.server.respond(read, () => listOf(hook));
    return <OutgoingHookList of="own" />;
  });
  await findByText(hook.name);
  server.fail(read, 'cut');
  fireEvent(document, new Event('visibilitychange'));
  await findByText(ja.failures.network);
  expect(getByText(hook.name)).toBeTruthy();
});

it('The control that stops an external post keeps the focus, and then resumes the post', async () => {
  let off: OutgoingHook['off'] = null;
  const { server, findByRole, getByRole } = await screenOf((example) => {
    example.server.respond(read, () => listOf({ ...hook, off }));
    example.server.respond(`PATCH ${paths.hook(hook.id)}`, () => {
      off = off === null ? 'owner' : null;
      return Response.json({ hook: { ...hook, off } });
    });
    return <OutgoingHookList of="own" />;
  });
  const stop = await findByRole('button', { name: `${words.turnOff} ${hook.name}` });
  stop.focus();
  fireEvent.click(stop);
  // A second press is ignored until the first is answered.
  fireEvent.click(stop);
  const resume = await findByRole('button', { name: `${words.turnOn} ${hook.name}` });
  expect(document.activeElement).toBe(resume);
  expect(server.called(`PATCH ${paths.hook(hook.id)}`)).toHaveLength(1);
  fireEvent.click(resume);
  await findByRole('button', { name: `${words.turnOff} ${hook.name}` });
  expect(document.activeElement).toBe(getByRole('button', { name: `${words.turnOff} ${hook.name}` }));
});
