import { fireEvent } from '@testing-library/react';
import { createRef, useState } from 'react';
import { describe, expect, it } from 'vitest';
import { member } from '../../test/member.ts';
import { screenOf } from '../../test/screen.tsx';
import { MemberPicker } from './MemberPicker.tsx';
import { memberSections } from './memberSections.ts';

const people = [
  member(1, '開発 一郎', 'かいはつ いちろう'),
  member(2, '佐藤 美咲', 'さとう みさき'),
  member(3, '安部 翔', 'あべ しょう'),
];
const sections = memberSections(people, [{ departmentCd: '1', displayName: '開発部', memberIds: [1, 2, 3] }]);

function Picker({ ofDepartments }: { readonly ofDepartments: boolean }) {
  const [chosen, setChosen] = useState<readonly number[]>([2]);
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <MemberPicker
      label="メンバー"
      field={createRef()}
      sections={sections}
      chosen={chosen}
      onChoose={setChosen}
      departments={ofDepartments ? { chosen: codes, onChoose: setCodes } : undefined}
    />
  );
}

/** A picker in which 佐藤 is chosen. */
async function picker(ofDepartments = false) {
  const screen = await screenOf(() => <Picker ofDepartments={ofDepartments} />);
  const search = (query: string) => fireEvent.input(screen.getByRole('combobox'), { target: { value: query } });
  return {
    ...screen,
    search,
    options: () => screen.getAllByRole('option').map(({ textContent }) => textContent),
    choose: (name: RegExp) => fireEvent.click(screen.getByRole('option', { name })),
  };
}

describe('MemberPicker', () => {
  it('[R2.7.2] Enter chooses the member whose name was typed, not the department whose name contains the same text', async () => {
    const { search, options, getByRole, findByRole } = await picker();
    search('開発');
    await findByRole('option', { name: /開発 一郎.*かいはつ いちろう.*開発部/ });
    expect(options()[0]).toContain('かいはつ いちろう');
    fireEvent.keyDown(getByRole('combobox'), { key: 'Enter' });
    expect(getByRole('list').textContent).toBe('佐佐藤 美咲開開発 一郎');
  });

  it('[R2.7.2] A department names its members before it is chosen, and then the picker names those whom it has added', async () => {
    const { choose, getByRole, findByText, queryByText } = await picker();
    expect(getByRole('option', { name: /全員/ }).textContent).toContain('安部 翔、開発 一郎、佐藤 美咲');
    choose(/全員/);
    await findByText('開発部から 2 人を選びました：安部 翔、開発 一郎');
    choose(/全員/);
    expect(queryByText(/選びました/)).toBeNull();
  });

  it('[R2.25.3] An audience names all members of the department that it includes', async () => {
    const { choose, findByText } = await picker(true);
    choose(/全員/);
    await findByText('開発部から 3 人を選びました：安部 翔、開発 一郎、佐藤 美咲');
  });
});
