import { within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { AdministeredMember } from '@engawa/protocol/administration';
import type { Capability } from '@engawa/protocol/product';
import { chatServer } from '../../../../test/chatServer.ts';
import { ken, mai } from '../../../../test/organisation.ts';
import { screenOf } from '../../../../test/screen.tsx';
import { ja } from '../../../i18n/administration.ja.ts';
import { selectPeople } from '../../../model/people/peopleList.ts';
import { DepartmentDetails } from './DepartmentDetails.tsx';

const listed: AdministeredMember = {
  user_id: 99,
  full_name: '名簿の人',
  email: 'listed@example.com',
  role: 400,
  is_active: true,
  reading: '',
  title: '',
  departments: ['1'],
  joined: 0,
  has_password: true,
};

/** The department with the code 1, of which 石川 健 is a member. */
async function details(capabilities: readonly Capability[]) {
  const server = await chatServer();
  const node = { departmentCd: '1', displayName: '開発部', memberIds: [ken.user_id] };
  await server.reorganise([node], []);
  server.respond('GET /api/administration/members', () => Response.json({ members: [listed], next: null, total: 1 }));
  const screen = await screenOf(
    () => (
      <DepartmentDetails
        tree={[node]}
        department={{ node, path: [node], place: { parent: null, position: 0 } }}
        onChanged={() => undefined}
      />
    ),
    { server, capabilities },
  );
  await vi.waitFor(() => expect(selectPeople(screen.model.state()).some(({ reading }) => reading !== '')).toBe(true));
  const list = await screen.findByRole('list', { name: ja.departments.members });
  return {
    ...screen,
    server,
    rows: within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  };
}

it('[R7.8] A department lists the members that the screens know if the chat server manages accounts', async () => {
  const { rows, server, queryByText } = await details(['departments']);
  expect(rows).toEqual([expect.stringContaining(ken.full_name)]);
  expect(queryByText(mai.full_name)).toBeNull();
  expect(server.called('GET /api/administration/members')).toEqual([]);
});

it('[R7.8] A department lists the members of the administration if the product manages accounts', async () => {
  const { rows } = await details(['departments', 'accounts']);
  expect(rows).toEqual([expect.stringContaining('名簿の人')]);
});
