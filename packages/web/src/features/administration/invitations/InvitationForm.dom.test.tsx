import { fireEvent } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { screenOf } from '../../../../test/screen.tsx';
import { ja } from '../../../i18n/administration.ja.ts';
import { invitationStore, noInvitations } from '../drafts.ts';
import { InvitationForm } from './InvitationForm.tsx';

const words = ja.invitations;
const call = 'POST /api/administration/invitations';

async function formWith(text: string, answer?: Response) {
  const screen = await screenOf(() => <InvitationForm tree={[]} onInvited={() => undefined} />);
  if (answer) screen.server.fail(call, answer);
  const field = screen.getByRole('textbox', { name: words.addresses });
  if (!(field instanceof HTMLTextAreaElement)) throw new Error('the addresses have no text area');
  fireEvent.change(field, { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: /招待する/ }));
  return { ...screen, field };
}

beforeEach(() => invitationStore.set(noInvitations));

it('[I7.3] The invitation form lists each entry without an address, also if all are on one line or in full width', async () => {
  const { server, field, findByText, getAllByText } = await formWith(' さとう、ｉｔｏ');
  await findByText(words.notInvited(2));
  expect(getAllByText(words.reasons.malformed)).toHaveLength(2);
  expect(field.value).toBe('さとう\nito');
  expect(server.called(call)).toEqual([]);
});

it('[I7.3] The field of the addresses is read-only while the invitations are sent, and afterwards keeps the refused ones', async () => {
  const sent = [{ email: 'sato@niwa.example', link: 'https://engawa.example/#/invitation/a', ends: 0, mailed: false }];
  const refused = [{ email: 'ito@niwa.example', code: 'EMAIL_IN_USE' }];
  const { field, findByText, getByText } = await formWith(
    'sato@niwa.example, ito@niwa.example',
    Response.json({ sent, refused }),
  );
  expect(field.readOnly).toBe(true);
  await findByText(words.handOver);
  await vi.waitFor(() => expect([field.readOnly, field.value]).toEqual([false, 'ito@niwa.example']));
  getByText(words.reasons.EMAIL_IN_USE);
});
