import { fireEvent } from '@testing-library/react';
import { administrationPaths, type OrganisationSettings } from '@engawa/protocol/administration';
import { expect, it } from 'vitest';
import { screenOf } from '../../../../test/screen.tsx';
import { ja as words } from '../../../i18n/bots.ja.ts';
import { ja } from '../../../i18n/ja.ts';
import { Bots } from './Bots.tsx';

const read = `GET ${administrationPaths.organisation}`;
const organisation: OrganisationSettings = {
  name: '縁側',
  description: '',
  read_receipts: 'own',
  bot_creation: 'administrators',
  content_edit_limit: null,
  deletion_limit: null,
  topic_edit_limit: null,
};

it('The choice of who creates bots can be read again after a failure, which is shown in its place', async () => {
  const { findByText, findByRole, getByText } = await screenOf(({ server }) => {
    server.fail(read, 'cut');
    server.respond(read, () => Response.json(organisation));
    return <Bots backAddress={undefined} />;
  });
  await findByText(ja.failures.network);
  fireEvent.click(getByText(ja.again));
  expect(await findByRole('combobox', { name: words.policy })).toHaveProperty('value', 'administrators');
});
